; The setup program. `cargo xtask dist` calls this with VERSION, STAGE (the folder to install), LIST (its files as macros), OUTPUT,
; COMPRESSOR and INSTALLER (this folder).
;
;   dashcam-setup-VERSION.exe [/S] [/CurrentUser | /AllUsers] [/D=FOLDER]
;   FOLDER\uninstall.exe [/S]
;
; Only files of LIST are removed, and folders only when they are empty: logs and whatever else a user has put there stay.

Target amd64-unicode
SetCompressor /SOLID ${COMPRESSOR}
; Installed files have the time of their installation.
SetDateSave off

Name "Dashcam ${VERSION}"
OutFile "${OUTPUT}"
BrandingText " "
ShowInstDetails nevershow
ShowUninstDetails nevershow
ManifestSupportedOS Win10
ManifestDPIAware true
ManifestDPIAwareness "PerMonitorV2,PerMonitor"
ManifestLongPathAware true

VIProductVersion "${VERSION}.0"
VIFileVersion "${VERSION}.0"
VIAddVersionKey ProductName "Dashcam"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey CompanyName "The Dashcam authors"
VIAddVersionKey FileDescription "Dashcam: setup"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT OR Apache-2.0"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Dashcam"
!define LOG_TYPE "Dashcam.Log"

; Everyone may install for himself; who may do more is asked for whom.
!define MULTIUSER_EXECUTIONLEVEL Highest
!define MULTIUSER_MUI
!define MULTIUSER_INSTALLMODE_COMMANDLINE
!define MULTIUSER_INSTALLMODE_DEFAULT_CURRENTUSER
!define MULTIUSER_INSTALLMODE_INSTDIR "Dashcam"
!define MULTIUSER_USE_PROGRAMFILES64
!include MultiUser.nsh
!include MUI2.nsh
!include FileFunc.nsh
!include "${LIST}"

!define MUI_ICON "${INSTALLER}/dashcam.ico"
!define MUI_UNICON "${INSTALLER}/dashcam.ico"
!define MUI_ABORTWARNING
!insertmacro MUI_PAGE_LICENSE "${STAGE}/LICENSE-MIT"
!insertmacro MULTIUSER_PAGE_INSTALLMODE
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Whose PATH, for `dashcam path-entry`.
Var PathOwner

Function .onInit
  !insertmacro MULTIUSER_INIT
FunctionEnd

Function un.onInit
  !insertmacro MULTIUSER_UNINIT
  ; The registry of those it was installed for knows this folder.
  ReadRegStr $0 HKLM "${UNINSTALL}" "InstallLocation"
  ${If} $0 == $INSTDIR
    Call un.MultiUser.InstallMode.AllUsers
  ${Else}
    Call un.MultiUser.InstallMode.CurrentUser
  ${EndIf}
FunctionEnd

!macro PATH_OWNER
  ${If} $MultiUser.InstallMode == AllUsers
    StrCpy $PathOwner "--all-users"
  ${Else}
    StrCpy $PathOwner ""
  ${EndIf}
!macroend

Section
  ; What an earlier version has installed and this one does not would stay for ever.
  ReadRegStr $0 SHCTX "${UNINSTALL}" "InstallLocation"
  ${If} $0 != ""
  ${AndIf} ${FileExists} "$0\uninstall.exe"
    ExecWait '"$0\uninstall.exe" /S _?=$0'
    Delete "$0\uninstall.exe"
    RMDir "$0"
  ${EndIf}

  SetOverwrite on
  ClearErrors
  !insertmacro INSTALL_FILES
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    SetErrorLevel 2
    Abort "Not all files could be written: end every program that uses Dashcam, and run setup again."
  ${EndIf}

  ; The command does it: the strings of a setup program are too short for some people's PATH.
  !insertmacro PATH_OWNER
  nsExec::Exec '"$INSTDIR\bin\x64\dashcam.exe" path-entry add $PathOwner "$INSTDIR\bin\x64"'
  Pop $0

  WriteRegStr SHCTX "Software\Classes\.dashcam" "" "${LOG_TYPE}"
  WriteRegStr SHCTX "Software\Classes\${LOG_TYPE}" "" "Dashcam recording"
  WriteRegStr SHCTX "Software\Classes\${LOG_TYPE}\DefaultIcon" "" '"$INSTDIR\bin\x64\dashcam.exe",0'
  WriteRegStr SHCTX "Software\Classes\${LOG_TYPE}\shell\open" "" "Show as a page"
  WriteRegStr SHCTX "Software\Classes\${LOG_TYPE}\shell\open\command" "" '"$INSTDIR\bin\x64\dashcam.exe" report --open "%1"'
  ${RefreshShellIcons}

  CreateDirectory "$SMPROGRAMS\Dashcam"
  CreateShortCut "$SMPROGRAMS\Dashcam\Dashcam documentation.lnk" "$INSTDIR\docs\index.html"
  CreateShortCut "$SMPROGRAMS\Dashcam\Uninstall Dashcam.lnk" "$INSTDIR\uninstall.exe"

  WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "Dashcam"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" '"$INSTDIR\bin\x64\dashcam.exe"'
  WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "The Dashcam authors"
  WriteRegStr SHCTX "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section Uninstall
  !insertmacro PATH_OWNER
  nsExec::Exec '"$INSTDIR\bin\x64\dashcam.exe" path-entry remove $PathOwner "$INSTDIR\bin\x64"'
  Pop $0

  ; Another program may have taken the ending over; that stays.
  ReadRegStr $0 SHCTX "Software\Classes\.dashcam" ""
  ${If} $0 == "${LOG_TYPE}"
    DeleteRegValue SHCTX "Software\Classes\.dashcam" ""
  ${EndIf}
  DeleteRegKey /ifempty SHCTX "Software\Classes\.dashcam"
  DeleteRegKey SHCTX "Software\Classes\${LOG_TYPE}"
  ${RefreshShellIcons}

  Delete "$SMPROGRAMS\Dashcam\Dashcam documentation.lnk"
  Delete "$SMPROGRAMS\Dashcam\Uninstall Dashcam.lnk"
  RMDir "$SMPROGRAMS\Dashcam"

  !insertmacro REMOVE_FILES
  Delete /REBOOTOK "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey SHCTX "${UNINSTALL}"
SectionEnd
