import assert from 'node:assert/strict'

export const plans = [
  { code: 'gold', name: 'Gold', interval: 'Monthly', amount: { cents: 990, currency: 'USD' } },
]

export async function check({ sandbox, load }) {
  const { month } = await load()
  const read = async (path) => {
    const answer = await fetch(sandbox.url + path, { headers: { authorization: sandbox.apiKey } })
    assert.equal(answer.status, 200, path)
    return answer.json()
  }
  const stateOf = async (userId) => {
    const all = await read('/sandbox/subscription/subscribers')
    const list = Array.isArray(all) ? all : all.subscribers
    const found = list.filter(({ customerId }) => customerId === userId)
    assert.equal(found.length, 1, `${userId} has one subscription`)
    return found[0].status
  }
  const movedDays = async () => (await read('/sandbox/clock')).movedSeconds / 86_400

  const ada = await month({ sandbox, planCode: 'gold', userId: 'ada', card: 'approved' })
  assert.deepEqual(ada, { status: 'Active', settled: [990, 990] })
  assert.equal(await stateOf('ada'), 'Active')
  assert.equal(Math.round(await movedDays()), 31)

  const bob = await month({ sandbox, planCode: 'gold', userId: 'bob', card: 'declinedLater' })
  assert.deepEqual(bob, { status: 'Failed', settled: [990] })
  assert.equal(await stateOf('bob'), 'Failed')
  assert.equal(Math.round(await movedDays()), 62)
}
