"""The battery of `tianxia.testing` over every game there is, and over the battery itself."""
