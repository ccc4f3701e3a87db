import { toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseSelector } from './parseSelector.ts'

describe('parseSelector', () => {
  // ethers' Interface and cast both compute 0xcce7ec13 for `buy(address,uint256)`.
  test.each([
    ['0xCCE7EC13', '0xcce7ec13'],
    ['buy(address,uint256)', '0xcce7ec13'],
    ['buy( address to , uint price )', '0xcce7ec13'],
    ['function buy(address to, uint256 price) external returns (uint256 tokenId);', '0xcce7ec13'],
    [' buy (address, uint256)', '0xcce7ec13'],
    // ethers' notation for a struct.
    ['order(tuple(address to, uint256 n) x, bytes)', toFunctionSelector('order((address,uint256),bytes)')],
    ['mint()', toFunctionSelector('mint()')],
    ['order((address to,uint256[2] prices) one)', toFunctionSelector('order((address,uint256[2]))')],
  ])('reads %s', (text, selector) => {
    expect(parseSelector(text, 'selector')).toBe(selector)
  })

  test.each([
    ['buy(adress,uint256)', 'there is no type at character 5, "adress,uint256)"'],
    ['buy(address,uint257)', 'there is no type at character 13, "uint257)"'],
    ['buy(address,,uint256)', 'there is no type at character 13, ",uint256)"'],
    ['buy(address,(uint256,uint7))', 'there is no type at character 13, "(uint256,uint7))"'],
    ['buy(address,uint256', '")" is missing at character 20, its end'],
    ['buy', '"(" is missing at character 4, its end'],
    ['buy address', '"(" is missing at character 4, " address"'],
    ['(address)', 'the name of a function is missing at character 1, "(address)"'],
    ['', 'the name of a function is missing at character 1, its end'],
    ['buy(address))', 'there is unexpected text at character 13, ")"'],
    ['event Bought(address)', '"(" is missing at character 6, " Bought(address)"'],
    ['buy(address) soon', 'there is unexpected text at character 13, " soon"'],
  ])('names the position of the error in %s', (text, place) => {
    expect(() => parseSelector(text, 'selector')).toThrow(
      expect.objectContaining({
        name: 'InvalidOptionError',
        field: 'selector',
        shortMessage: expect.stringContaining(`is not a function signature: ${place}.`),
      }),
    )
  })

  test.each(['0x', '0x1234567', '0x123456789a', '0xgggggggg'])('rejects %s, which is not 4 bytes', (text) => {
    expect(() => parseSelector(text, 'selector')).toThrow(/not the 4 bytes/)
  })

  test.each([null, 5, {}, ['buy()']])('rejects %o, which is not text', (value) => {
    expect(() => parseSelector(value, 'selector')).toThrow(
      expect.objectContaining({ name: 'InvalidOptionError', field: 'selector' }),
    )
  })
})
