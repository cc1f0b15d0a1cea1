//! A model called from Rust, by the untyped function that every object has.
use std::ffi::c_void;

extern "C" {
    fn scale_run_buffers(
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
        symbols: *const i64,
        workspace: *mut c_void,
        context: *const c_void,
    ) -> i32;
}

/// As many bytes as SCALE_WORKSPACE_BYTES in scale.h says, at a multiple of SCALE_ALIGNMENT.
#[repr(C, align(64))]
struct Workspace([u8; 64]);

fn scale(x: &[f32; 4]) -> Result<[f32; 4], i32> {
    let mut y = [0f32; 4];
    let mut workspace = Workspace([0; 64]);
    let inputs = [x.as_ptr() as *const c_void];
    let outputs = [y.as_mut_ptr() as *mut c_void];
    // Buffers have the sizes of the model, and live until the call returns.
    let status = unsafe {
        scale_run_buffers(
            inputs.as_ptr(),
            outputs.as_ptr(),
            std::ptr::null(),
            workspace.0.as_mut_ptr() as *mut c_void,
            std::ptr::null(),
        )
    };
    if status == 0 { Ok(y) } else { Err(status) }
}

fn main() {
    let y = scale(&[1.0, -2.0, 3.0, -4.0]).expect("scale_run_buffers");
    println!("{} {} {} {}", y[0], y[1], y[2], y[3]);
}
