"""Arabic text: the form that is kept, the form that is searched, urls, dates, sentences, similarity."""
