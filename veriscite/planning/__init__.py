"""Step 4: an agent settles what two verifiers disagree on, with three tools and few actions."""
