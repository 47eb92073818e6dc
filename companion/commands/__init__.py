"""Commands: one module each, thin edges over the parts they call."""
