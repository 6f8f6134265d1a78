"""where skips and rulings come from: the file, of those that were imported"""

from alembic import op
import sqlalchemy as sa


revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table('decisions', schema=None) as batch_op:
        batch_op.add_column(sa.Column('origin', sa.Text(), nullable=True))

    with op.batch_alter_table('skips', schema=None) as batch_op:
        batch_op.add_column(sa.Column('origin', sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table('skips', schema=None) as batch_op:
        batch_op.drop_column('origin')

    with op.batch_alter_table('decisions', schema=None) as batch_op:
        batch_op.drop_column('origin')
