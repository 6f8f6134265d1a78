"""what a drop is about: the first word of its key, by which `dalil why` looks it up"""

from alembic import op
import sqlalchemy as sa


revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None

CHUNK = 10_000


def upgrade() -> None:
    with op.batch_alter_table('dropped', schema=None) as batch_op:
        batch_op.add_column(sa.Column('about', sa.Text(), nullable=True))

    _fill(op.get_bind())

    with op.batch_alter_table('dropped', schema=None) as batch_op:
        batch_op.alter_column('about', existing_type=sa.Text(), nullable=False)
        batch_op.create_index('ix_dropped_about', ['about'], unique=False)


def _fill(connection: sa.Connection) -> None:
    """Rows made before. In Python: databases have no function for it in common."""
    dropped = sa.table('dropped', sa.column('id', sa.Text()), sa.column('key', sa.Text()), sa.column('about', sa.Text()))
    setting = sa.update(dropped).where(dropped.c.id == sa.bindparam('of')).values(about=sa.bindparam('first'))
    last = ''
    while True:
        query = sa.select(dropped.c.id, dropped.c.key).where(dropped.c.id >= last, dropped.c.about.is_(None))
        rows = connection.execute(query.order_by(dropped.c.id).limit(CHUNK)).all()
        if not rows:
            return
        connection.execute(setting, [{'of': row.id, 'first': row.key.partition(' ')[0]} for row in rows])
        last = rows[-1].id


def downgrade() -> None:
    with op.batch_alter_table('dropped', schema=None) as batch_op:
        batch_op.drop_index('ix_dropped_about')
        batch_op.drop_column('about')
