//! The bad habits of twin.py in Rust, with the library loaded while it runs.
//!
//! native.rs LIBRARY MODEL RUNS; PLACES, when it is compiled: the file of places
use std::ffi::{c_char, c_int, c_void, CString};
use std::mem::transmute;
use std::ptr::{null, null_mut};

type Any = *mut c_void;
#[repr(C)]
struct Base {
    get_api: extern "C" fn(u32) -> *const Any,
    get_version: extern "C" fn() -> *const c_char,
}
#[repr(C)]
struct Time {
    seconds: i64,
    nanoseconds: i64,
}
extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> Any;
    fn dlsym(library: Any, name: *const c_char) -> Any;
    fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
}

fn now() -> i64 {
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(1, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

fn place(name: &str) -> usize {
    let start = format!("PLACE({name}, ");
    let line = include_str!(env!("PLACES")).lines().find(|line| line.starts_with(&start));
    line.unwrap()[start.len()..].split(',').next().unwrap().parse().unwrap()
}

macro_rules! call {
    ($api:expr, $place:expr, $($value:expr => $type:ty),*) => {{
        let function: extern "C" fn($($type),*) -> Any = transmute(*$api.add($place));
        function($($value),*)
    }};
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let text = |text: &str| CString::new(text).unwrap();
    let (model, runs) = (text(&words[2]), words[3].parse::<usize>().unwrap());
    let (inputs, outputs) = (text("picture"), text("probabilities"));
    let mut times = Vec::new();
    unsafe {
        let library = dlopen(text(&words[1]).as_ptr(), 2);
        let base: extern "C" fn() -> *const Base =
            transmute(dlsym(library, text("OrtGetApiBase").as_ptr()));
        let api = ((*base()).get_api)(16);
        let (mut env, mut options, mut memory, mut value) =
            (null_mut(), null_mut(), null_mut(), null_mut());
        let mut pixels = [0f32; 64];
        call!(api, 3, 3 => c_int, text("native").as_ptr() => *const c_char, &mut env => *mut Any);
        call!(api, place("CreateSessionOptions"), &mut options => *mut Any);
        call!(api, place("CreateCpuMemoryInfo"), 0 => c_int, 0 => c_int, &mut memory => *mut Any);
        call!(api, place("CreateTensorWithDataAsOrtValue"), memory => Any,
            pixels.as_mut_ptr().cast() => Any, 256 => usize, [1i64, 1, 8, 8].as_ptr() => *const i64,
            4 => usize, 1 => c_int, &mut value => *mut Any);
        let cores = std::thread::available_parallelism().unwrap().get() as c_int;
        call!(api, place("SetIntraOpNumThreads"), options => Any, 2 * cores => c_int);
        call!(api, place("SetSessionGraphOptimizationLevel"), options => Any, 0 => c_int);
        let qnn = text("QNN");
        call!(api, place("SessionOptionsAppendExecutionProvider"), options => Any,
            qnn.as_ptr() => *const c_char, null() => *const Any, null() => *const Any, 0 => usize);
        let load = || {
            let mut session = null_mut();
            let status = call!(api, place("CreateSession"), env => Any,
                model.as_ptr() => *const c_char, options => Any, &mut session => *mut Any);
            assert!(status.is_null());
            session
        };
        let release = |name: &str, object: Any| {
            let function: extern "C" fn(Any) = transmute(*api.add(place(name)));
            function(object)
        };
        let mut run = |session: Any| {
            let mut output = null_mut();
            let begin = now();
            let status = call!(api, 9, session => Any, null_mut() => Any,
                &inputs.as_ptr() => *const *const c_char, &value => *const Any, 1 => usize,
                &outputs.as_ptr() => *const *const c_char, 1 => usize, &mut output => *mut Any);
            times.push((begin, now()));
            assert!(status.is_null());
        };
        for _ in 0..6 * runs {
            let session = load();
            run(session);
            release("ReleaseSession", session);
        }
        for session in [load(), load()] {
            (0..runs).for_each(|_| run(session));
        }
    }
    let times: Vec<String> = times.iter().map(|(b, e)| format!("[{b}, {e}]")).collect();
    println!("{{\"times\": [{}]}}", times.join(", "));
}
