{ Dashcam.pas: the recorder's interface for programs in Delphi (2009 or later) and Free Pascal. Add this unit to your project and ship
  dashcam.dll beside the program, in the program's own bitness.

  Where the DLL is missing, DashcamLoad answers False and the program goes on unrecorded: call the other functions only after it has
  answered True. }
unit Dashcam;

{$IFDEF FPC}{$MODE DELPHI}{$ENDIF}

interface

const
  DASHCAM_ABI_VERSION = 1;

  DASHCAM_OK = 0;
  DASHCAM_ALREADY_STARTED = 1;
  DASHCAM_NOT_STARTED = 2;
  DASHCAM_BAD_ARGUMENT = 3;
  DASHCAM_FOLDER = 4;
  DASHCAM_EXISTS = 5;
  DASHCAM_WRITE = 6;
  DASHCAM_TOO_SMALL = 7;
  DASHCAM_FAILED = 8;

type
  TDashcamStatus = Integer;

  { All members but Size may be 0 or nil, which means the default; dashcam.h explains each. }
  TDashcamConfig = record
    Size: Cardinal;
    RetentionSeconds: Cardinal;
    MaxBytes: UInt64;
    Folder: PWideChar;
    Application: PWideChar;
    Version: PWideChar;
    KeptSessions: Cardinal;
    KeptDays: Cardinal;
    KeptBytes: UInt64;
    AllMouseMoves: Cardinal;
    ExtraMessages: PCardinal;
    ExtraCount: Cardinal;
    SuppressedCount: Cardinal;
    SuppressedMessages: PCardinal;
    MaskedClasses: ^PWideChar;
    MaskedClassCount: Cardinal;
    MaskedIdCount: Cardinal;
    MaskedIds: PInteger;
    BytesPerSecond: Cardinal;
  end;
  PDashcamConfig = ^TDashcamConfig;

  TDashcamStats = record
    Size: Cardinal;
    Threads: Cardinal;
    Received: UInt64;
    Rejected: UInt64;
    Recorded: UInt64;
    Shed: UInt64;
    Dropped: UInt64;
    Bytes: UInt64;
  end;

  TDashcamSink = procedure(Line: PWideChar; User: Pointer); cdecl;

var
  DashcamAbiVersion: function: Cardinal; cdecl;
  DashcamStart: function(Config: PDashcamConfig): TDashcamStatus; cdecl;
  DashcamStop: function: TDashcamStatus; cdecl;
  DashcamPause: function: TDashcamStatus; cdecl;
  DashcamResume: function: TDashcamStatus; cdecl;
  DashcamExport: function(Path: PWideChar): TDashcamStatus; cdecl;
  DashcamMark: function(Text: PWideChar): TDashcamStatus; cdecl;
  DashcamNoteCrash: function(ExceptionPointers: Pointer): TDashcamStatus; cdecl;
  DashcamLogPath: function(Buffer: PWideChar; Size: Cardinal): TDashcamStatus; cdecl;
  DashcamSetSink: function(Callback: TDashcamSink; User: Pointer): TDashcamStatus; cdecl;
  DashcamMaskWindow: function(Window: Pointer): TDashcamStatus; cdecl;
  DashcamGetStats: function(var Stats: TDashcamStats): TDashcamStatus; cdecl;
  DashcamStatusText: function(Status: TDashcamStatus): PWideChar; cdecl;

{ Loads dashcam.dll; False where it is missing, of another version or of the other bitness. }
function DashcamLoad: Boolean;

implementation

{$IFDEF FPC}
uses DynLibs;
{$ELSE}
uses Winapi.Windows;
{$ENDIF}

function DashcamLoad: Boolean;
var
  Module: {$IFDEF FPC}TLibHandle{$ELSE}HMODULE{$ENDIF};
  Missing: Boolean;

  function Find(const Name: AnsiString): Pointer;
  begin
    Result := GetProcAddress(Module, {$IFDEF FPC}Name{$ELSE}PAnsiChar(Name){$ENDIF});
    if Result = nil then
      Missing := True;
  end;

begin
  Result := False;
  Module := LoadLibrary('dashcam.dll');
  if Module = 0 then
    Exit;
  Missing := False;
  @DashcamAbiVersion := Find('dashcam_abi_version');
  @DashcamStart := Find('dashcam_start');
  @DashcamStop := Find('dashcam_stop');
  @DashcamPause := Find('dashcam_pause');
  @DashcamResume := Find('dashcam_resume');
  @DashcamExport := Find('dashcam_export');
  @DashcamMark := Find('dashcam_mark');
  @DashcamNoteCrash := Find('dashcam_note_crash');
  @DashcamLogPath := Find('dashcam_log_path');
  @DashcamSetSink := Find('dashcam_set_sink');
  @DashcamMaskWindow := Find('dashcam_mask_window');
  @DashcamGetStats := Find('dashcam_get_stats');
  @DashcamStatusText := Find('dashcam_status_text');
  Result := (not Missing) and (DashcamAbiVersion() = DASHCAM_ABI_VERSION);
end;

end.
