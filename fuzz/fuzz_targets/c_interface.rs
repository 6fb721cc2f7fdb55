#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| bristle_fuzz::c_interface(data));
