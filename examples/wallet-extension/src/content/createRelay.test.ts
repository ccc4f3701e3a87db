import { expect, test } from 'vitest'
import { type PageAnswer, type PageEvent, pageErrors } from '../pageMessages.ts'
import { createRelay, type WorkerPort } from './createRelay.ts'

test('after a worker that did not start, the next request gets as many attempts as the first', () => {
  const posted: (PageAnswer | PageEvent)[] = []
  const waiting: (() => void)[] = []
  let disconnect = () => {}
  let sent = 0
  const connect = (): WorkerPort => ({
    postMessage: () => {
      sent += 1
    },
    onMessage: { addListener: () => {} },
    onDisconnect: {
      addListener: (listener) => {
        disconnect = listener
      },
    },
  })
  const relay = createRelay({
    connect,
    post: (message) => posted.push(message),
    later: (work) => waiting.push(work),
  })
  const attemptsOf = (id: string) => {
    sent = 0
    relay.request({ id, text: '{}' })
    disconnect()
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      work()
      disconnect()
    }
    expect(posted.pop()).toEqual({ id, error: pageErrors.disconnected })
    return sent
  }
  const first = attemptsOf('1')
  expect(first).toBeGreaterThan(10)
  expect(attemptsOf('2')).toBe(first)
})
