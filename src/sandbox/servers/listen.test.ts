import { expect, test } from 'vitest'
import { listen } from './listen.ts'

test('finishes pending requests on close and accepts no new ones', async () => {
  let answer = (_: Response) => {}
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const { url, close } = await listen({
    port: 0,
    fetch: (request) => {
      // A connection that arrives at the moment of the close is still answered.
      if (request.url.endsWith('/new')) return new Response('new')
      asked()
      return new Promise<Response>((resolve) => {
        answer = resolve
      })
    },
  })
  const underWay = fetch(url)
  await isAsked
  const closed = close()
  const isRefused = () =>
    fetch(`${url}/new`).then(
      () => false,
      () => true,
    )
  await expect.poll(isRefused).toBe(true)
  answer(new Response('late'))
  expect(await (await underWay).text()).toBe('late')
  await closed
})

test('does not wait for idle connections on close', async () => {
  const { url, close } = await listen({ port: 0, fetch: () => new Response('') })
  await (await fetch(url)).text()
  const started = performance.now()
  await close()
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('names a port that is in use', async () => {
  const { port, close } = await listen({ port: 0, fetch: () => new Response('') })
  await expect(listen({ port, fetch: () => new Response('') })).rejects.toMatchObject({
    name: 'InvalidSandboxOptionsError',
    field: 'port',
    shortMessage: `Port ${port} of 127.0.0.1 is in use.`,
  })
  await close()
})

test.each([-1, 65_536, 1.5, Number.NaN])('rejects port %s', async (port) => {
  await expect(listen({ port, fetch: () => new Response('') })).rejects.toMatchObject({ field: 'port' })
})
