"""Whether the camera stands where it stood, and the table measured again where it does not."""
