// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "./Vm.sol";

/// @title Base of the tests
abstract contract Test {
    // forge's cheatcodes are at this address: the last 20 bytes of keccak256("hevm cheat code").
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Order of the curve secp256k1: `CURVE_ORDER - s` gives a second signature of the same message.
    uint256 internal constant CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    // forge recognizes a test contract by this function.
    bool public IS_TEST = true;

    function _signature(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    function assertFalse(bool condition) internal pure {
        vm.assertTrue(!condition);
    }

    function assertFalse(bool condition, string memory message) internal pure {
        vm.assertTrue(!condition, message);
    }

    /// @dev Returns a value within two inclusive bounds. A value within the bounds stays unchanged.
    function bound(uint256 value, uint256 minimum, uint256 maximum) internal pure returns (uint256) {
        if (value >= minimum && value <= maximum) return value;
        return minimum + value % (maximum - minimum + 1);
    }
}
