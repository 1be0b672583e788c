//! Files of every format: what is read, what is refused, in which time and memory.

mod adversarial;
mod bad_input;
mod corpus;
mod damage;
mod formats;
mod memory;
mod samples;
mod time;
