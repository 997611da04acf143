"""The version of the package, for its metadata and the `user-agent` header."""

VERSION = "0.1.0"
