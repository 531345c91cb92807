"""What ``lastcard doctor`` asks of reader, pins and tags, as facts. How a check is printed is not known here."""
