// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "../src/BoundedCall.sol";
import {Test} from "./Test.sol";

/// @title Returns its call data, or reverts with it
contract Echo {
    fallback() external payable {
        bytes memory data = msg.data;
        bool fail = data.length != 0 && uint8(data[0]) & 1 == 1;
        assembly {
            if fail { revert(add(data, 0x20), mload(data)) }
            return(add(data, 0x20), mload(data))
        }
    }
}

/// @dev Compares the library with plain Solidity calls, which copy all return data.
contract BoundedCallTest is Test {
    address private echo = address(new Echo());

    function testFuzz_call(bytes memory data, uint256 maximum) public {
        maximum = bound(maximum, 0, 300);
        (bool expectedSuccess, bytes memory expected) = echo.call(data);
        (bool success, uint256 word, uint256 size) = BoundedCall.call(echo, 0, gasleft(), data);
        bytes memory answer = BoundedCall.answer(maximum);
        bytes memory next = hex"aabbcc";
        vm.assertTrue(success == expectedSuccess);
        vm.assertEq(size, expected.length);
        if (size >= 32) vm.assertEq(word, uint256(bytes32(expected)));
        vm.assertEq(answer, _prefix(expected, maximum));
        vm.assertEq(next, hex"aabbcc");
    }

    function testFuzz_readOnly(bytes memory data) public view {
        (bool expectedSuccess, bytes memory expected) = echo.staticcall(data);
        (bool success, uint256 word, uint256 size) = BoundedCall.readOnly(echo, data);
        vm.assertTrue(success == expectedSuccess);
        vm.assertEq(size, expected.length);
        if (size >= 32) vm.assertEq(word, uint256(bytes32(expected)));
    }

    /// @dev Memory allocated after the call starts after the return data and does not overlap it.
    function testFuzz_answer_allocates(bytes memory data, bytes memory other) public {
        BoundedCall.call(echo, 0, gasleft(), data);
        bytes memory answer = BoundedCall.answer(256);
        bytes memory copy = bytes.concat(other);
        vm.assertEq(copy, other);
        vm.assertEq(answer, _prefix(data, 256));
        vm.assertEq(keccak256(abi.encode(answer)), keccak256(abi.encode(_prefix(data, 256))));
    }

    function test_call_value() public {
        vm.deal(address(this), 5);
        (bool success,,) = BoundedCall.call(echo, 5, gasleft(), "");
        vm.assertTrue(success);
        vm.assertEq(echo.balance, 5);
    }

    function test_call_gasLimit() public {
        (bool success,, uint256 size) = BoundedCall.call(echo, 0, 100, new bytes(64));
        assertFalse(success);
        vm.assertEq(size, 0);
    }

    function _prefix(bytes memory data, uint256 maximum) private pure returns (bytes memory prefix) {
        uint256 length = data.length < maximum ? data.length : maximum;
        prefix = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            prefix[i] = data[i];
        }
    }
}

/// @dev The free memory to which return data is written may contain older data.
contract BoundedCallMemoryTest is Test {
    fallback() external {
        assembly {
            mstore(0, not(0))
            revert(0, 5)
        }
    }

    function test_answer_isPaddedWithZeros() public {
        BoundedCall.call(address(this), 0, gasleft(), hex"01020304");
        assembly ("memory-safe") {
            let free := mload(0x40)
            for { let i := 0 } lt(i, 0x100) { i := add(i, 0x20) } { mstore(add(free, i), not(0)) }
        }
        bytes memory answer = BoundedCall.answer(256);
        uint256 word;
        assembly ("memory-safe") {
            word := mload(add(answer, 0x20))
        }
        vm.assertEq(answer.length, 5);
        vm.assertEq(bytes32(word), bytes32(hex"ffffffffff"));
    }
}
