import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { InvalidSignatureTextError } from './errors.ts'
import { parseSignature } from './parseSignature.ts'

test.each([
  'buy(address,uint256)',
  ' buy(address receiver, uint price) ',
  'function buy(address receiver, uint256 price) external payable returns (uint256 id);',
])('%s is one function, whichever way it is written', (text) => {
  // Origin: the selector of NormalMerchant.buy, as forge inspect prints it.
  expect(toFunctionSelector(parseSignature(text, '--sig'))).toBe('0xcce7ec13')
})

test.each([
  ['buy', 'has no list of types'],
  ['', 'is not the signature'],
  ['0xcce7ec13', 'has no list of types'],
  ['buy(adress)', 'does not parse: Type "adress" is not a valid ABI type'],
  ['buy(address,', 'does not parse'],
  ['buy(address))', 'too many closing parentheses'],
  ['event Bought(address)', 'is not the signature'],
])('%s does not parse, and says why', (text, words) => {
  const parse = () => parseSignature(text, '--sig')
  expect(parse).toThrow(InvalidSignatureTextError)
  expect(parse).toThrow(words)
  expect(parse).toThrow('Field: --sig')
})
