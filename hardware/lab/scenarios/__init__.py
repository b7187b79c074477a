"""The scenarios, in the order in which they run."""

from . import installation  # noqa: F401
from . import reading  # noqa: F401
from . import feedback  # noqa: F401
from . import lines  # noqa: F401
from . import cameras  # noqa: F401
from . import service  # noqa: F401
from . import console  # noqa: F401
from . import libcamera  # noqa: F401
from . import packages  # noqa: F401
from . import clock  # noqa: F401
from . import power  # noqa: F401
from . import flash  # noqa: F401
from . import update  # noqa: F401
from . import figures  # noqa: F401
