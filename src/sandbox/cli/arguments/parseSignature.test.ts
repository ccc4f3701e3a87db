import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { InvalidSignatureTextError, parseSignature } from './parseSignature.ts'

test.each([
  'buy(address,uint256)',
  ' buy(address receiver, uint price) ',
  'function buy(address receiver, uint256 price) external payable returns (uint256 id);',
  'buy (address, uint256)',
])('%s is the same function in every notation', (text) => {
  // Origin: the selector of NormalMerchant.buy, as forge inspect prints it.
  expect(toFunctionSelector(parseSignature(text, '--sig'))).toBe('0xcce7ec13')
})

test('a struct, also as ethers writes it', () => {
  const selector = toFunctionSelector('buy((address,uint256),bytes)')
  expect(toFunctionSelector(parseSignature('buy(tuple(address to, uint256 n) x, bytes)', '--sig'))).toBe(
    selector,
  )
})

test.each([
  ['buy', 'has no parameter list'],
  ['', 'is not a function signature'],
  ['0xcce7ec13', 'is a selector, which does not contain the types'],
  ['buy(adress)', 'does not parse: Type "adress" is not a valid ABI type'],
  ['buy(address,', 'does not parse'],
  ['buy(address))', 'too many closing parentheses'],
  ['event Bought(address)', 'is not a function signature'],
])('%s does not parse, and says why', (text, message) => {
  const parse = () => parseSignature(text, '--sig')
  expect(parse).toThrow(InvalidSignatureTextError)
  expect(parse).toThrow(message)
  expect(parse).toThrow('Field: --sig')
})
