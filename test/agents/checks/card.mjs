import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { testCards } from '@redeemkit/sandbox'

const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export async function check({ sandbox, load }) {
  const { createShop } = await load()
  const { url: baseUrl, merchantId, apiKey } = sandbox
  const post = async (path, body) => {
    const headers = { authorization: apiKey, 'content-type': 'application/json' }
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    assert.ok(answer.ok, `${path} returned ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
  const fulfilled = []
  const fulfil = async (orderId) => void fulfilled.push(orderId)
  const shop = createShop({ baseUrl, merchantId, apiKey, webhookSecret, fulfil })

  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const part of incoming) body += part
    const { headers } = incoming
    const answer = await shop.webhook(
      new Request('http://shop.test/webhook', { method: 'POST', headers, body }),
    )
    outgoing.writeHead(answer.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address()
    await post('/sandbox/webhooks', { url: `http://127.0.0.1:${port}/webhook`, secret: webhookSecret })
    const { token: cardToken } = await post('/api/tokenize', {
      ...testCards.challenge,
      expMonth: '12',
      expYear: '40',
    })
    let challenges = 0
    const approve = async (url) => {
      challenges++
      await fetch(url, { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) })
    }
    const wallet = sandbox.accounts.bob.address
    await shop.buy({ userId: 'user-1', wallet, orderId: 'order-1', cardToken, approve })
    assert.equal(challenges, 1)
    for (let round = 0; round < 200 && fulfilled.length === 0; round++) await wait(100)
    assert.deepEqual(fulfilled, ['order-1'])

    const headers = { authorization: apiKey }
    const asked = await fetch(`${baseUrl}/sandbox/webhooks/events?type=payment.settled`, { headers })
    const { events } = await asked.json()
    assert.equal(events.length, 1, 'the customer paid once')
    await post('/sandbox/webhooks/resend', { id: events[0].id })
    await wait(2_000)
    assert.deepEqual(fulfilled, ['order-1'], 'an event that is delivered twice fulfils the order once')

    const body = JSON.stringify({ ...events[0], id: 'forged' })
    const forged = await shop.webhook(new Request('http://shop.test/webhook', { method: 'POST', body }))
    assert.equal(forged.status, 400)
    assert.deepEqual(fulfilled, ['order-1'])
  } finally {
    server.close()
  }
}
