// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";

contract AttackCreditsTest is CreditsFixture {
    // Batches

    /// @dev An item with changed bytes executes either the redeem that the customer signed, or nothing.
    function testFuzz_batch_brokenItemIsTheRedeemOrNothing(uint256 position, uint256 word, uint256 cut) public {
        bytes memory item = abi.encode(_signed(_normal(3 * DOLLAR), 5 * DOLLAR));
        uint256 words = item.length / 32;
        position = bound(position, 0, words - 1);
        if (cut % 4 == 0) word = bound(word, 0, item.length + 64);
        if (cut % 4 == 1) word = type(uint256).max - bound(word, 0, item.length + 64);
        if (cut % 4 == 2) word = uint256(_wordAt(item, position)) | (1 << (128 + word % 128));
        bytes32 before = _wordAt(item, position);
        assembly ("memory-safe") {
            mstore(add(add(item, 0x20), mul(position, 0x20)), word)
        }
        if (cut % 7 == 0) item = _cut(item, cut % item.length);
        if (cut % 11 == 0) item = bytes.concat(item, bytes32(word), before);
        bytes[] memory items = new bytes[](2);
        items[0] = item;
        items[1] = abi.encode(_signed(_token(stranger), DOLLAR));
        uint256[] memory gasLimits = new uint256[](2);
        (gasLimits[0], gasLimits[1]) = (1_000_000, 1_000_000);
        vm.prank(stranger);
        ICredits.BatchResult[] memory results = credits.redeemBatch(items, gasLimits);
        vm.assertTrue(results[1].success, "the other item is executed");
        vm.assertEq(usdc.balanceOf(stranger), DOLLAR);
        uint256 paid = results[0].success ? 3 * DOLLAR : 0;
        vm.assertEq(usdc.balanceOf(address(normalMerchant)), paid);
        vm.assertEq(_customerCredits(), 999 * DOLLAR - paid);
        vm.assertEq(credits.feesOwed(), 0);
        _assertBacked();
    }

    function _wordAt(bytes memory data, uint256 position) private pure returns (bytes32 word) {
        assembly ("memory-safe") {
            word := mload(add(add(data, 0x20), mul(position, 0x20)))
        }
    }

    function _cut(bytes memory data, uint256 length) private pure returns (bytes memory result) {
        result = new bytes(length);
        for (uint256 i = 0; i < length; ++i) {
            result[i] = data[i];
        }
    }

    // Balances

    /// @dev The contract owes fees just as it owes credits, so it must not spend a single raw unit of them.
    function test_solvency_countsFees() public {
        _redeem(_signed(_token(receiver), 10 * DOLLAR, 0, DOLLAR, ICredits.UsdcMethod.None));
        vm.prank(address(credits));
        usdc.transfer(stranger, 1);
        bytes memory insolvent = abi.encodeWithSelector(ICredits.Insolvent.selector, 985 * DOLLAR - 1, 985 * DOLLAR);
        _expectRedeemReverts(_signed(_normal(5 * DOLLAR), 5 * DOLLAR), insolvent);
    }

    // What an operator must check

    /// @dev Shows why PROTOCOL.md 5.5 requires the `Transfer` directly after `AuthorizationUsed`: an attacker can
    /// produce both events in one transaction by two transfers, and only one of them pays the contract.
    function test_early_cannotTellWhoseTransferItWas() public {
        // The contract holds a victim's USDC, whose authorization was executed early and is not credited yet.
        address victim = vm.addr(uint256(keccak256("victim")));
        _fund(victim, 4 * DOLLAR);
        ICredits.EarlyAuthorization memory victims = _transfer("victim", victim, bytes32(uint256(1)));
        _executeEarly(victims, address(credits));

        // The attacker signs nonce 1 twice: to the contract, and to a friend. Nonce 2 pays the contract.
        address attacker = vm.addr(uint256(keccak256("attacker")));
        _fund(attacker, 8 * DOLLAR);
        ICredits.EarlyAuthorization memory first = _transfer("attacker", attacker, bytes32(uint256(1)));
        ICredits.EarlyAuthorization memory second = _transfer("attacker", attacker, bytes32(uint256(2)));
        ICredits.EarlyAuthorization memory back = first;
        bytes32 digest = _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), first, attacker);
        bytes memory backSignature = _signature(uint256(keccak256("attacker")), digest);
        // One transaction: AuthorizationUsed(1), Transfer(attacker → attacker), AuthorizationUsed(2), Transfer(→ credits).
        bytes memory kept = first.signature;
        back.signature = backSignature;
        _executeEarly(back, attacker);
        first.signature = kept;
        _executeEarly(second, address(credits));

        vm.startPrank(operator);
        credits.creditEarlyAuthorization("attackers", second);
        credits.creditEarlyAuthorization("attackers", first);
        vm.assertEq(credits.creditsOf("attackers", attacker), 8 * DOLLAR, "paid 4, has 8");
        vm.expectPartialRevert(ICredits.InsufficientSurplus.selector);
        credits.creditEarlyAuthorization(SEED, victims);
        vm.stopPrank();
    }

    function _transfer(string memory name, address from, bytes32 nonce)
        private
        view
        returns (ICredits.EarlyAuthorization memory authorization)
    {
        authorization.from = from;
        authorization.value = 4 * DOLLAR;
        authorization.validBefore = block.timestamp + 1 hours;
        authorization.nonce = nonce;
        authorization.signature = _signature(
            uint256(keccak256(bytes(name))),
            _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, address(credits))
        );
    }
}
