"""Values: what each layer gives, and where two ways of running part."""
