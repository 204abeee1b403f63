package explorer.capture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ServerSocketFactory;

/**
 * Server sockets whose connections send the end of an answer without waiting for an acknowledgement.
 *
 * py4j writes an answer of more than 8 KiB in parts. With Nagle's algorithm the last part waits for the
 * acknowledgement of the parts before it, which Linux delays by 40 ms.
 */
public final class PromptSockets extends ServerSocketFactory {
    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new PromptServerSocket();
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, 50, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) throws IOException {
        ServerSocket server = createServerSocket();
        server.bind(new java.net.InetSocketAddress(address, port), backlog);
        return server;
    }

    private static final class PromptServerSocket extends ServerSocket {
        PromptServerSocket() throws IOException {
            super();
        }

        @Override
        public Socket accept() throws IOException {
            Socket accepted = super.accept();
            accepted.setTcpNoDelay(true);
            return accepted;
        }
    }
}
