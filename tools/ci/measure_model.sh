#!/usr/bin/env bash
# The step of action.yml: measures MODEL, against the same file at BASE where there is one.
# Reads MODEL, BASE, FAIL_IF (a condition on each line), OPTIONS and FOLDER from the environment.
# Writes report.json, summary.md and junit.xml into FOLDER; the exit status is that of Inspector.
set -euo pipefail
mkdir -p "$FOLDER"
report="$FOLDER/report.json" summary="$FOLDER/summary.md"

read -r -a options <<<"${OPTIONS:-}"
conditions=()
while IFS= read -r line; do
  if [ -n "${line// /}" ]; then conditions+=(--fail-if "$line"); fi
done <<<"${FAIL_IF:-}"

base=""
if [ -n "${BASE:-}" ]; then
  for revision in "$BASE" "origin/$BASE"; do
    if git cat-file -e "$revision:$MODEL" 2>/dev/null; then
      base="$FOLDER/base-$(basename "$MODEL")"
      git show "$revision:$MODEL" >"$base"
      break
    fi
  done
fi

comparison=()
if [ -n "$base" ]; then
  comparison=(--against "$base" --markdown "$summary" --junit "$FOLDER/junit.xml")
elif [ "${#conditions[@]}" -gt 0 ]; then
  echo "No base to compare with: conditions on changes are left out."
  kept=()
  for ((i = 1; i < ${#conditions[@]}; i += 2)); do
    case "${conditions[i]}" in *[\<\>=][+-]*) ;; *) kept+=(--fail-if "${conditions[i]}") ;; esac
  done
  conditions=("${kept[@]+"${kept[@]}"}")
fi

status=0
inspector measure "$MODEL" -o "$report" "${comparison[@]+"${comparison[@]}"}" \
  "${conditions[@]+"${conditions[@]}"}" "${options[@]+"${options[@]}"}" || status=$?

if [ -f "$report" ] && [ ! -f "$summary" ]; then
  inspector export "$report" --format md -o "$summary"
fi
if [ -f "$summary" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$summary" >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  if [ -f "$report" ]; then echo "report=$report" >>"$GITHUB_OUTPUT"; fi
  if [ -f "$summary" ]; then echo "summary=$summary" >>"$GITHUB_OUTPUT"; fi
fi
case "$status" in
  0) ;;
  3) echo "::error file=$MODEL::A condition of fail-if holds. The summary has the numbers." ;;
  *) echo "::error file=$MODEL::Inspector could not measure the model (exit status $status)." ;;
esac
exit "$status"
