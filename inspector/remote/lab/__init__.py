"""A lab: devices that take jobs from one hub, a NATS server with JetStream.

`membership` is the file that lets a program in, `hub` makes it and runs the server, `link` is a
connection to it, `worker` runs on a device, and `machine` is the lab as a client sees it.
"""
