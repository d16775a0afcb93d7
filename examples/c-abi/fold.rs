//! fold MODEL OUTPUT: folds a file through libonnxfold.so.
//!
//!   rustc fold.rs -l onnxfold && ./fold model.onnx folded.onnx

use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int};
use std::{env, process, ptr};

#[repr(C)]
struct RawOptions {
    _opaque: [u8; 0],
}
#[repr(C)]
struct RawResult {
    _opaque: [u8; 0],
}

extern "C" {
    fn onnx_fold_options_create() -> *mut RawOptions;
    fn onnx_fold_options_destroy(options: *mut RawOptions);
    fn onnx_fold_options_set(options: *mut RawOptions, name: *const c_char, value: *const c_char) -> c_int;
    fn onnx_fold_options_error(options: *const RawOptions) -> *const c_char;
    fn onnx_fold_file(options: *const RawOptions, input: *const c_char, output: *const c_char) -> *mut RawResult;
    fn onnx_fold_result_destroy(result: *mut RawResult);
    fn onnx_fold_result_status(result: *const RawResult) -> c_int;
    fn onnx_fold_result_error(result: *const RawResult) -> *const c_char;
    fn onnx_fold_result_report(result: *const RawResult) -> *const c_char;
}

fn text(raw: *const c_char) -> String {
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

struct Options(*mut RawOptions);

impl Options {
    fn new() -> Options {
        Options(unsafe { onnx_fold_options_create() })
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let (name, value) = (CString::new(name).unwrap(), CString::new(value).unwrap());
        match unsafe { onnx_fold_options_set(self.0, name.as_ptr(), value.as_ptr()) } {
            0 => Ok(()),
            _ => Err(text(unsafe { onnx_fold_options_error(self.0) })),
        }
    }

    /// The report, as JSON. Without an output nothing is written.
    fn fold(&self, input: &str, output: Option<&str>) -> Result<String, String> {
        let input = CString::new(input).unwrap();
        let output = output.map(|path| CString::new(path).unwrap());
        let path = output.as_ref().map_or(ptr::null(), |path| path.as_ptr());
        unsafe {
            let result = onnx_fold_file(self.0, input.as_ptr(), path);
            let answer = match onnx_fold_result_status(result) {
                0 => Ok(text(onnx_fold_result_report(result))),
                _ => Err(text(onnx_fold_result_error(result))),
            };
            onnx_fold_result_destroy(result);
            answer
        }
    }
}

impl Drop for Options {
    fn drop(&mut self) {
        unsafe { onnx_fold_options_destroy(self.0) }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    if arguments.len() != 3 {
        return Err("usage: fold MODEL OUTPUT".to_string());
    }
    let mut options = Options::new();
    options.set("max-growth", "10%")?;
    options.fold(&arguments[1], Some(&arguments[2]))
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    match run(&arguments) {
        Ok(report) => println!("{}", report),
        Err(problem) => {
            eprintln!("fold: {}", problem);
            process::exit(1);
        }
    }
}
