import { createServer, type Socket } from 'node:net'

/** A mail server with just enough of SMTP to take what is sent: it lives in this process, and writes down what came. */
export interface Postbox {
  port: number
  hear: (mail: { messageId: string; text: string }) => void
  close(): void
}

export async function openPostbox(): Promise<Postbox> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket.setEncoding('latin1').once('close', () => open.delete(socket)))
    socket.on('error', () => {}) // the sender was killed
    socket.write('220 postbox.test\r\n')
    let heard = ''
    let mail: string | undefined
    socket.on('data', part => {
      heard += part
      for (let end = heard.indexOf('\r\n'); end >= 0; end = heard.indexOf('\r\n')) {
        const line = heard.slice(0, end)
        heard = heard.slice(end + 2)
        if (mail === undefined) {
          if (/^DATA/i.test(line)) mail = ''
          socket.write(/^DATA/i.test(line) ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
        } else if (line !== '.') mail += `${line}\n`
        else {
          // Taken before the sender knows: whoever dies in between sends it again.
          made.hear({ messageId: /^Message-ID: (\S+)/im.exec(mail)?.[1] ?? '', text: mail })
          mail = undefined
          socket.write('250 taken\r\n')
        }
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const address = server.address()
  const made: Postbox = {
    port: typeof address === 'object' && address ? address.port : 0,
    hear: () => {},
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
  return made
}
