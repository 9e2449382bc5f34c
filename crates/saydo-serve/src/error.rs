//! Why a server does not start or stops.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Others could reach it and nobody has to say who they are.
    #[error(
        "{address} can be reached from other machines and there is no owner's password, expected one: `saydo serve \
         --set-password`, or a loopback address"
    )]
    NoPassword {
        /// Where it was to listen.
        address: SocketAddr,
    },
    /// A proxy would let others reach it and nobody has to say who they are.
    #[error(
        "--https means that a proxy lets others in, and there is no owner's password; set one with `saydo serve \
         --set-password`"
    )]
    NoPasswordBehindProxy,
    /// The token is none that a link can hold, or too short to keep anyone out.
    #[error(
        "the owner's token has {found} characters, expected at least {expected}, all of them letters, digits, hyphens or \
         underscores"
    )]
    Token {
        /// How many it has.
        found: usize,
        /// How many it needs.
        expected: usize,
    },
    /// The password is too short to keep anyone out.
    #[error("the password has {found} characters, expected at least {expected}")]
    ShortPassword {
        /// How many it has.
        found: usize,
        /// How many it needs.
        expected: usize,
    },
    /// The password could not be hashed.
    #[error("the password cannot be hashed: {0}")]
    Hash(String),
    /// The address cannot be had.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The folder of the state cannot be used.
    #[error("cannot use the folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another server is there.
    #[error("another server uses the folder {path}; stop it, or choose another folder with --data")]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing to copy.
    #[error("there is no state in {path}; name the server's folder with --data")]
    NoState {
        /// The folder.
        path: PathBuf,
    },
    /// The copy cannot be written.
    #[error("cannot write the backup {path}")]
    Backup {
        /// The copy.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The state cannot be opened.
    #[error("cannot open the state in {path}")]
    Store {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// A newer version of Saydo wrote the state.
    #[error("the state in {path} is of version {found}, expected at most {expected}; a newer Saydo wrote it")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest this one knows.
        expected: i64,
    },
    /// Something of the state could not be read or written.
    #[error("the state is not usable: {0}")]
    State(String),
    /// The server stopped by itself.
    #[error("the server stopped")]
    Stopped(#[source] std::io::Error),
}
