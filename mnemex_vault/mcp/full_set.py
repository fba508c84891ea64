"""The tools beyond the core: imported and made only for who is shown them or calls one."""

from __future__ import annotations

from mnemex_vault.mcp.calls import Calls
from mnemex_vault.mcp.metrics import Metrics
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.tool import Toolbox
from mnemex_vault.mcp.tools_activation import ActivationTools
from mnemex_vault.mcp.tools_clusters import ClusterTools
from mnemex_vault.mcp.tools_graph import GraphTools
from mnemex_vault.mcp.tools_metrics import MetricsTools
from mnemex_vault.mcp.tools_review import ReviewTools


def full_boxes(opening: Opening, calls: Calls, metrics: Metrics) -> list[Toolbox]:
    """Return the tools in the order in which they are listed."""
    return [
        GraphTools(opening),
        ClusterTools(opening, calls),
        ReviewTools(opening),
        ActivationTools(opening),
        MetricsTools(opening, metrics, calls),
    ]
