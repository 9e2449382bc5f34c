//! The server that others fetch an executor's results from, on a port that is its own from the start.

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::error::BallistaError;
use ballista_core::utils::{GrpcServerConfig, create_grpc_server, create_grpc_server_incoming};
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::shutdown::Shutdown;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

/// The greatest message, as in the engine's own server.
const MAX_MESSAGE_BYTES: usize = 16 << 20;

/// A bound port. The engine's own server binds late and ends the process in silence if another took the port meanwhile.
pub(super) struct Results {
    incoming: Incoming,
    port: u16,
}

type Incoming = tonic::transport::server::TcpIncoming;

impl Results {
    /// Binds the address; port 0 stands for any that is free.
    pub fn bind(address: SocketAddr) -> Result<Self, BallistaError> {
        let incoming = create_grpc_server_incoming(address, &GrpcServerConfig::default())?;
        let port = incoming.local_addr()?.port();
        Ok(Self { incoming, port })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// What the engine calls, once, to start the server.
    pub fn into_provider(self) -> Arc<ArrowFlightServerProvider> {
        let bound = Mutex::new(Some(self.incoming));
        Arc::new(move |work, _, mut shutdown: Shutdown, config| {
            let incoming = bound.lock().unwrap_or_else(PoisonError::into_inner).take();
            tokio::spawn(async move {
                let incoming = incoming.ok_or_else(|| BallistaError::Internal("results are served twice".into()))?;
                let service = FlightServiceServer::new(BallistaFlightService::new(work))
                    .max_decoding_message_size(MAX_MESSAGE_BYTES)
                    .max_encoding_message_size(MAX_MESSAGE_BYTES);
                let server = create_grpc_server(&config).add_service(service);
                Ok(server.serve_with_incoming_shutdown(incoming, shutdown.recv()).await?)
            })
        })
    }
}
