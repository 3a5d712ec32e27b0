"""What the user wrote: the text of functions, their names and signatures, and types of the user's own."""
