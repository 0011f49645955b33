/** The last line of an answer, by the protocol. It cannot stand within JSON, whose line ends are escaped. */
const done = /(?:^|[\r\n])data:\s*\[DONE\]/
const kept = 32

/** A stream of events that ends at its `[DONE]`, whether or not the server closes the connection then. */
export function untilDone(response: Response): Response {
  if (response.body === null || !/event-stream/i.test(response.headers.get('content-type') ?? '')) return response
  const reader = response.body.getReader()
  let tail = '\n'
  let isDone = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (isDone) {
        controller.close()
        await reader.cancel().catch(() => undefined)
        return
      }
      const { done: isOver, value } = await reader.read()
      if (isOver) return controller.close()
      const text = tail + Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
      isDone = done.test(text)
      tail = text.slice(-kept)
      controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
