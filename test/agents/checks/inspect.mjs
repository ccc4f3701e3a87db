import assert from 'node:assert/strict'

const fields = (text) =>
  text.split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))

export async function check({ sandbox, base, load }) {
  const { judge } = await load()
  const account = sandbox.accounts.alice.address
  const [shop, thief] = [sandbox.accounts.bob.address, sandbox.accounts.carol.address]
  const types = {
    EIP712Domain: fields('string name,string version,uint256 chainId,address verifyingContract'),
    TransferWithAuthorization: fields(
      'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
    ),
  }
  const domain = { name: 'USDC', version: '2', chainId: 84532, verifyingContract: base.usdc }
  const now = () => 1_899_999_000_000
  const of = (changes, changedDomain = {}) => {
    const times = { validAfter: '0', validBefore: '1900000000' }
    const message = {
      from: account,
      to: shop,
      value: '25000000',
      ...times,
      nonce: `0x${'11'.repeat(32)}`,
      ...changes,
    }
    const data = {
      domain: { ...domain, ...changedDomain },
      types,
      primaryType: 'TransferWithAuthorization',
      message,
    }
    const request = { method: 'eth_signTypedData_v4', params: [account, JSON.stringify(data)] }
    return judge({ request, account, chainId: 84532, shop, now })
  }
  assert.equal(of({}), 'sign')
  assert.notEqual(of({ value: '25000001' }), 'sign', 'more than 25 dollars')
  assert.notEqual(of({ to: thief }), 'sign', 'another receiver')
  assert.equal(of({ from: thief }), 'refuse', 'another account')
  assert.equal(of({}, { chainId: 1 }), 'refuse', 'another chain')
  const unknown = { method: 'eth_sign', params: [account, '0x1234'] }
  assert.notEqual(judge({ request: unknown, account, chainId: 84532, shop, now }), 'sign')
}
