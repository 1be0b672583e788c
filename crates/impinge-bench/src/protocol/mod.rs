//! The protocol of the `rivals` folder: reads its workload files, prints its CSV rows, writes its answer files, so that
//! impinge stands in one table with libraries in other languages.
//!
//! `impinge-bench W1 W2 W3 W4 W5 W6 W7 [--quick] --data DIR --out DIR`.

mod boxes;
mod files;
mod hulls;
mod meshes;
mod moving;
mod peers;
mod request;
mod threads;
mod tracking;
mod workloads;

pub(crate) use request::{Request, WORKLOADS, is_workload};
pub(crate) use threads::run as threads;
pub(crate) use workloads::run;
