import { createServer, type Socket } from 'node:net'

/** A minimal SMTP server in this process, which accepts every mail and reports it to `onMail`. */
export interface SmtpServer {
  port: number
  onMail: (mail: { messageId: string; text: string }) => void
  close(): void
}

export async function openSmtpServer(): Promise<SmtpServer> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket.setEncoding('latin1').once('close', () => open.delete(socket)))
    socket.on('error', () => {}) // The sender was killed.
    socket.write('220 smtp.test\r\n')
    let input = ''
    let mail: string | undefined
    socket.on('data', part => {
      input += part
      for (let end = input.indexOf('\r\n'); end >= 0; end = input.indexOf('\r\n')) {
        const line = input.slice(0, end)
        input = input.slice(end + 2)
        if (mail === undefined) {
          if (/^DATA/i.test(line)) mail = ''
          socket.write(/^DATA/i.test(line) ? '354 continue\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
        } else if (line !== '.') mail += `${line}\n`
        else {
          // The mail counts before the sender gets the reply. A sender that is killed in between sends it again.
          smtpServer.onMail({ messageId: /^Message-ID: (\S+)/im.exec(mail)?.[1] ?? '', text: mail })
          mail = undefined
          socket.write('250 accepted\r\n')
        }
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  const smtpServer: SmtpServer = {
    port: typeof address === 'object' && address ? address.port : 0,
    onMail: () => {},
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  return smtpServer
}
