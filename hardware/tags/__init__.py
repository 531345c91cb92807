"""Tags, whatever chip reads them: ISO 14443-3A, pages and labels, who lies there. No reader's registers."""
