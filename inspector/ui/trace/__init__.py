"""Traces of other programs: a timeline and what adds up in it."""
