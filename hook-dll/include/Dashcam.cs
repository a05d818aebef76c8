// Dashcam.cs: the recorder's interface for programs in C#. Add this file to your project and ship dashcam.dll beside the program, in the
// program's own bitness (an AnyCPU program that prefers 32 bits takes the x86 one).
//
// Where the DLL is missing, Dashcam.TryStart answers false and the program goes on unrecorded.

using System;
using System.Runtime.InteropServices;
using System.Text;

public enum DashcamStatus
{
    Ok = 0,
    AlreadyStarted = 1,
    NotStarted = 2,
    BadArgument = 3,
    Folder = 4,
    Exists = 5,
    Write = 6,
    TooSmall = 7,
    Failed = 8,
}

/// <summary>All members but Size may be 0 or null, which means the default; dashcam.h explains each.</summary>
[StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
public struct DashcamConfig
{
    public uint Size;
    public uint RetentionSeconds;
    public ulong MaxBytes;
    public string Folder;
    public string Application;
    public string Version;
    public uint KeptSessions;
    public uint KeptDays;
    public ulong KeptBytes;
    public uint AllMouseMoves;
    public IntPtr ExtraMessages;
    public uint ExtraCount;
    public uint SuppressedCount;
    public IntPtr SuppressedMessages;
    public IntPtr MaskedClasses;
    public uint MaskedClassCount;
    public uint MaskedIdCount;
    public IntPtr MaskedIds;
    public uint BytesPerSecond;

    public static DashcamConfig Default()
    {
        DashcamConfig config = new DashcamConfig();
        config.Size = (uint)Marshal.SizeOf(typeof(DashcamConfig));
        return config;
    }
}

[StructLayout(LayoutKind.Sequential)]
public struct DashcamStats
{
    public uint Size;
    public uint Threads;
    public ulong Received;
    public ulong Rejected;
    public ulong Recorded;
    public ulong Shed;
    public ulong Dropped;
    public ulong Bytes;
}

[UnmanagedFunctionPointer(CallingConvention.Cdecl, CharSet = CharSet.Unicode)]
public delegate void DashcamSink([MarshalAs(UnmanagedType.LPWStr)] string line, IntPtr user);

public static class Dashcam
{
    const uint AbiVersion = 1;
    const string Dll = "dashcam.dll";
    const CallingConvention C = CallingConvention.Cdecl;

    [DllImport(Dll, CallingConvention = C)] static extern uint dashcam_abi_version();
    [DllImport(Dll, CallingConvention = C, CharSet = CharSet.Unicode)] static extern DashcamStatus dashcam_start(ref DashcamConfig config);
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_stop();
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_pause();
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_resume();
    [DllImport(Dll, CallingConvention = C, CharSet = CharSet.Unicode)] static extern DashcamStatus dashcam_export(string path);
    [DllImport(Dll, CallingConvention = C, CharSet = CharSet.Unicode)] static extern DashcamStatus dashcam_mark(string text);
    [DllImport(Dll, CallingConvention = C, CharSet = CharSet.Unicode)] static extern DashcamStatus dashcam_log_path(StringBuilder buffer, uint size);
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_set_sink(DashcamSink callback, IntPtr user);
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_mask_window(IntPtr window);
    [DllImport(Dll, CallingConvention = C)] static extern DashcamStatus dashcam_get_stats(ref DashcamStats stats);

    // The recorder calls it until it is replaced: it must not be collected.
    static DashcamSink sink;
    static bool started;

    /// <summary>Starts to record; false where the DLL is missing, of another version or of the other bitness, or refuses.</summary>
    public static bool TryStart(DashcamConfig config)
    {
        try
        {
            started = dashcam_abi_version() == AbiVersion && dashcam_start(ref config) == DashcamStatus.Ok;
        }
        catch (DllNotFoundException) { started = false; }
        catch (BadImageFormatException) { started = false; }
        catch (EntryPointNotFoundException) { started = false; }
        return started;
    }

    // Without a recording the DLL may not be there, and is not asked.
    public static DashcamStatus Stop() { return started ? dashcam_stop() : DashcamStatus.NotStarted; }
    public static DashcamStatus Pause() { return started ? dashcam_pause() : DashcamStatus.NotStarted; }
    public static DashcamStatus Resume() { return started ? dashcam_resume() : DashcamStatus.NotStarted; }
    public static DashcamStatus Export(string path) { return started ? dashcam_export(path) : DashcamStatus.NotStarted; }
    public static DashcamStatus Mark(string text) { return started ? dashcam_mark(text) : DashcamStatus.NotStarted; }
    public static DashcamStatus MaskWindow(IntPtr window) { return started ? dashcam_mask_window(window) : DashcamStatus.NotStarted; }

    public static DashcamStatus SetSink(DashcamSink callback)
    {
        if (!started) return DashcamStatus.NotStarted;
        DashcamStatus status = dashcam_set_sink(callback, IntPtr.Zero);
        sink = callback;
        GC.KeepAlive(sink);
        return status;
    }

    /// <summary>The folder of this session's log, or null.</summary>
    public static string LogPath()
    {
        StringBuilder buffer = new StringBuilder(32768);
        return started && dashcam_log_path(buffer, (uint)buffer.Capacity) == DashcamStatus.Ok ? buffer.ToString() : null;
    }

    public static DashcamStats Stats()
    {
        DashcamStats stats = new DashcamStats();
        stats.Size = (uint)Marshal.SizeOf(typeof(DashcamStats));
        if (started) dashcam_get_stats(ref stats);
        return stats;
    }
}
