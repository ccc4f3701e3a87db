import assert from 'node:assert/strict'
import { creditPermitTypedData, orderKey, redeemIntentNonce, settlementHash } from 'redeemkit/evm'

export async function check({ sandbox, load }) {
  const { judge } = await load()
  const account = sandbox.accounts.alice.address
  const [receiver, thief] = [sandbox.accounts.bob.address, sandbox.accounts.carol.address]
  const creditsContract = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
  const origin = 'https://shop.example'
  const [merchantId, purchaseId, salt] = ['shop', 'order 1', `0x${'5a'.repeat(32)}`]
  const shop = {
    creditsContract,
    chainId: 84532,
    creditSeed: 'shop',
    merchantId,
    receivers: [receiver],
    origins: [origin],
  }
  const transactionData = { type: 'token', destination: receiver }
  const now = () => 1_899_999_600_000
  const of = ({ permit = {}, intent = {}, page = origin, chainId = 84532 } = {}) => {
    const nonce = redeemIntentNonce({
      orderKey: orderKey({ merchantId, purchaseId }),
      customerWallet: account,
      settlementHash: settlementHash(transactionData),
      amount: 25_000_000n,
      usdcAmount: 0n,
      salt,
    })
    const typedData = creditPermitTypedData({
      domain: { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract },
      permit: {
        customerWallet: account,
        creditSeed: 'shop',
        amount: 25_030_000n,
        validBefore: 1_900_000_000n,
        nonce,
        ...permit,
      },
    })
    const text = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    const request = { subtotal: { cents: 2500 }, transactionData, ...intent }
    const redeemIntent = { version: 1, merchantId, purchaseId, salt, request }
    const params = intent === null ? [account, text] : [account, text, { redeemIntent }]
    const asked = { request: { method: 'eth_signTypedData_v4', params }, account, chainId: 84532 }
    return judge({ ...asked, origin: page, shop, now })
  }
  assert.equal(of(), 'sign')
  assert.equal(of({ intent: null }), 'ask', 'no purchase is disclosed')
  assert.equal(of({ page: 'https://evil.example' }), 'ask', 'another page')
  assert.equal(of({ intent: { subtotal: { cents: 2400 } } }), 'refuse', 'another price')
  const elsewhere = { transactionData: { type: 'token', destination: thief } }
  assert.equal(of({ intent: elsewhere }), 'refuse', 'another receiver')
  assert.equal(of({ permit: { amount: 925_030_000n } }), 'refuse', 'a fee of 900 dollars')
  assert.equal(of({ chainId: 1 }), 'refuse', 'another chain')
  const unknown = { method: 'eth_sign', params: [account, '0x1234'] }
  assert.notEqual(judge({ request: unknown, account, chainId: 84532, origin, shop, now }), 'sign')
}
