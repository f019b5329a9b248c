"""The window's look: a dark, quiet frame around the table."""

from ui import theme

PANEL, RAISED, LINE = "#171C22", "#222A33", "#2F3944"
# Left and right of what stands in a row of a list.
ROW_PADDING_PX = 6

SHEET = f"""
QWidget {{ background: {theme.INK}; color: {theme.PAPER}; font-size: 16px; }}
QMainWindow::separator {{ width: 1px; background: {LINE}; }}
#side {{ background: {PANEL}; border-left: 1px solid {LINE}; }}
#row, #side QLabel, #side QTextBrowser, #side QListWidget {{ background: transparent; border: none; }}
QLabel#turn {{ font-size: 19px; }}
QLabel#question {{ font-size: 22px; padding: 12px; }}
QLabel#heading {{ color: {theme.QUIET}; font-size: 13px; font-weight: 600; padding: 10px 4px 2px 4px; }}
#side QLabel#notice, #side QLabel#trouble {{ background: {RAISED}; border-radius: 4px; padding: 9px 12px; }}
QLabel#notice {{ border-left: 4px solid {theme.YELLOW}; }}
QLabel#trouble {{ border-left: 4px solid {theme.VERMILLION}; }}
QListWidget {{ outline: none; }}
QListWidget::item {{ padding: 7px {ROW_PADDING_PX}px; border-radius: 5px; }}
QListWidget::item:hover {{ background: {RAISED}; }}
QListWidget::item:selected {{ background: {LINE}; color: {theme.PAPER}; }}
QPushButton, QComboBox, QLineEdit {{ background: {RAISED}; border: 1px solid {LINE}; border-radius: 6px; }}
QPushButton {{ padding: 7px 14px; }}
QComboBox {{ padding: 7px 1px 7px 10px; }}
QComboBox::drop-down {{ border: none; width: 16px; }}
QComboBox::down-arrow {{ width: 0; height: 0; border: 4px solid {RAISED}; border-top: 5px solid {theme.QUIET}; }}
QComboBox::down-arrow {{ border-bottom: 0; }}
QLineEdit {{ padding: 7px 10px; }}
QPushButton:hover, QComboBox:hover {{ border-color: {theme.SKY}; }}
QPushButton:focus, QComboBox:focus, QLineEdit:focus {{ border-color: {theme.SKY}; }}
QPushButton:pressed {{ background: {LINE}; }}
QPushButton:disabled {{ color: #5C6772; }}
QPushButton:checked {{ background: {theme.BLUE}; border-color: {theme.BLUE}; }}
QComboBox QAbstractItemView {{ background: {RAISED}; selection-background-color: {theme.BLUE}; }}
QComboBox QAbstractItemView::item {{ min-height: 28px; padding-left: 8px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {LINE}; border-radius: 4px; min-height: 30px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
QStatusBar {{ background: {PANEL}; border-top: 1px solid {LINE}; color: {theme.QUIET}; font-size: 14px; }}
QStatusBar QLabel {{ background: transparent; color: {theme.QUIET}; font-size: 14px; }}
QStatusBar::item {{ border: none; }}
QToolTip {{ background: {RAISED}; color: {theme.PAPER}; border: 1px solid {LINE}; font-size: 15px; padding: 4px; }}
"""

# After the above, on a small screen.
SMALL = """
QWidget, QLabel#turn, QToolTip, QStatusBar, QStatusBar QLabel { font-size: 13px; }
QLabel#question { font-size: 15px; padding: 4px; }
QLabel#heading { font-size: 11px; padding: 4px 2px 0 2px; }
#side QLabel#notice, #side QLabel#trouble { padding: 4px 6px; }
QPushButton { padding: 4px 5px; }
QComboBox { padding: 3px 1px 3px 6px; }
QComboBox QAbstractItemView::item { min-height: 20px; }
QLineEdit { padding: 4px 6px; }
QListWidget::item { padding: 3px 6px; }
"""
