"""How the judgement is learnt, by playing against itself. Not installed; wants PyTorch."""
