"""A local collection: documents in a folder, searched with Arabic analysis and a date window.

    build([Path("articles.jsonl.gz")], Path("news"))
    collection = Collection.open(Path("news"))
    collection.search("مفتشو الأسلحة الكيمياوية في دوما", start="2018-04-01", end="2018-05-31")

`documents` says what a document is, `jsonl` and `warc` read them, `building` makes the folder,
`search` answers; `analysis` says how text becomes terms, and tantivy is behind `tantivy_index` alone.
"""

from dalil.collection.building import build
from dalil.collection.documents import StoredDocument
from dalil.collection.manifest import Manifest
from dalil.collection.search import Collection

__all__ = ["Collection", "Manifest", "StoredDocument", "build"]
