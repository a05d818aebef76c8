//! Who makes windows: Windows itself, or one of the toolkits that programs are written with.

/// Who defines a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Toolkit {
    /// Windows itself: user32, the common controls, rich edits.
    Windows,
    /// Windows Forms (.NET).
    WindowsForms,
    /// Windows Presentation Foundation (.NET).
    Wpf,
    /// Delphi and C++Builder (VCL).
    Delphi,
    /// Lazarus (LCL).
    Lazarus,
    /// Visual Basic 5 and 6.
    VisualBasic,
    /// Microsoft Foundation Classes.
    Mfc,
    /// Active Template Library.
    Atl,
    /// Qt.
    Qt,
    /// Java's AWT and Swing.
    Java,
    /// GTK.
    Gtk,
    /// Tk.
    Tk,
    /// wxWidgets.
    WxWidgets,
    /// Scintilla.
    Scintilla,
    /// The program, or a toolkit that is not known.
    Unknown,
}
