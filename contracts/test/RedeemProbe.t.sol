// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IRedeemProbe} from "./Deployed.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {SmartWallet} from "./mocks/Wallets.sol";

/// @title The probe at the operator's address, where a state override of `eth_call` would put it
contract RedeemProbeTest is CreditsFixture {
    IRedeemProbe private probe;

    function setUp() public override {
        super.setUp();
        vm.etch(operator, vm.deployCode("RedeemProbe.sol:RedeemProbe", "").code);
        probe = IRedeemProbe(operator);
    }

    /// @dev Only an operator may charge a gas fee.
    function test_ask_triesAsTheOperator() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR, 0, 30_000, NONE);
        IRedeemProbe.Answer memory answer = _ask(request);
        vm.assertTrue(answer.success);
        IRedeemProbe elsewhere = IRedeemProbe(vm.deployCode("RedeemProbe.sol:RedeemProbe", ""));
        IRedeemProbe.Question[] memory questions = new IRedeemProbe.Question[](1);
        questions[0] = _question(request);
        assertFalse(elsewhere.ask(credits, questions)[0].success);
    }

    function test_ask_rollsBackTheRedeem() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        IRedeemProbe.Answer memory answer = _ask(request);
        vm.assertTrue(answer.success);
        vm.assertEq(uint256(answer.orderState), uint256(ICredits.OrderState.Unused));
        vm.assertEq(answer.credits, 1000 * DOLLAR);
        vm.assertEq(uint256(_stateOf(request)), uint256(ICredits.OrderState.Unused));
        vm.assertEq(usdc.balanceOf(receiver), 0);
    }

    /// @dev Attempts do not affect each other: the same redeem succeeds twice and uses the same gas.
    function test_ask_triesEachRedeemSeparately() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), 600 * DOLLAR);
        IRedeemProbe.Question[] memory questions = new IRedeemProbe.Question[](2);
        questions[0] = _question(request);
        questions[1] = _question(_signed(_token(receiver), 600 * DOLLAR));
        IRedeemProbe.Answer[] memory answers = probe.ask(credits, questions);
        vm.assertTrue(answers[0].success);
        vm.assertTrue(answers[1].success);
        vm.assertLe(answers[0].gasUsed, answers[1].gasUsed + 200);
        vm.assertLe(answers[1].gasUsed, answers[0].gasUsed + 200);
    }

    /// @dev With the reported gas, a relayer can send the redeem.
    function test_ask_reportsTheGas() public {
        ICredits.RedeemRequest memory request = _signed(_normal(DOLLAR), DOLLAR);
        uint256 gasUsed = _ask(request).gasUsed;
        vm.assertGe(gasUsed, 60_000, "a redeem");
        vm.assertLe(gasUsed, 250_000);
        vm.prank(stranger);
        credits.redeem{gas: (gasUsed * 64) / 63 + 40_000}(request);
    }

    function test_ask_reportsAFailedAttempt() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), 1001 * DOLLAR);
        IRedeemProbe.Answer memory answer = _ask(request);
        assertFalse(answer.success);
        vm.assertGe(answer.gasUsed, 1, "it was tried");
        vm.assertEq(answer.credits, 1000 * DOLLAR);
    }

    /// @dev If a redeem burns all gas, it burns only the gas of its own attempt. The other attempts still get results.
    function test_ask_boundsTheGasOfAnAttempt() public {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        IRedeemProbe.Question[] memory questions = new IRedeemProbe.Question[](2);
        questions[0] = _question(
            _signed(_call(ICredits.Kind.Normal, address(hostile), abi.encodeCall(HostileMerchant.eatGas, ())), DOLLAR)
        );
        questions[1] = _question(_signed(_token(receiver), DOLLAR));
        IRedeemProbe.Answer[] memory answers = probe.ask{gas: 3_000_000}(credits, questions);
        assertFalse(answers[0].success);
        vm.assertLe(answers[0].gasUsed, 1_010_000);
        vm.assertTrue(answers[1].success);
    }

    function test_ask_readsWithoutAnAttempt() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        vm.prank(stranger);
        credits.redeem(request);
        address wallet = address(new SmartWallet(customer));
        IRedeemProbe.Question[] memory questions = new IRedeemProbe.Question[](2);
        questions[0] = IRedeemProbe.Question(customer, bytes12(request.permit.nonce), SEED, "");
        questions[1] = IRedeemProbe.Question(wallet, bytes12(request.permit.nonce), SEED, "");
        IRedeemProbe.Answer[] memory answers = probe.ask(credits, questions);
        vm.assertEq(uint256(answers[0].orderState), uint256(ICredits.OrderState.Redeemed));
        vm.assertEq(bytes32(answers[0].commitment), request.permit.nonce << 96);
        vm.assertEq(uint256(answers[1].orderState), uint256(ICredits.OrderState.Unused));
        vm.assertEq(bytes32(answers[1].commitment), 0);
        vm.assertEq(answers[0].credits, 999 * DOLLAR);
        assertFalse(answers[0].walletHasCode);
        vm.assertTrue(answers[1].walletHasCode);
        vm.assertEq(answers[1].credits, 0);
        assertFalse(answers[0].success);
        vm.assertEq(answers[0].gasUsed, 0);
    }

    function test_ask_reportsWhomUsdcBlocks() public {
        ICredits.RedeemRequest memory request = _signed(_token(receiver), DOLLAR);
        assertFalse(_ask(request).isBlocked);
        vm.prank(issuer);
        usdc.blacklist(customer);
        vm.assertTrue(_ask(request).isBlocked);
        vm.assertTrue(_ask(request).success, "the credits contract itself does not check the blacklist");
        // A token without a blacklist reverts, here with data that looks like `true`.
        vm.etch(address(usdc), hex"60015f5260205ffd");
        assertFalse(_ask(request).isBlocked);
    }

    function test_attempt_revertsAlways() public {
        vm.expectPartialRevert(IRedeemProbe.Attempted.selector);
        probe.attempt(address(usdc), abi.encodeCall(usdc.balanceOf, (customer)));
    }

    ICredits.UsdcMethod private constant NONE = ICredits.UsdcMethod.None;

    function _ask(ICredits.RedeemRequest memory request) private returns (IRedeemProbe.Answer memory) {
        IRedeemProbe.Question[] memory questions = new IRedeemProbe.Question[](1);
        questions[0] = _question(request);
        return probe.ask(credits, questions)[0];
    }

    function _question(ICredits.RedeemRequest memory request) private pure returns (IRedeemProbe.Question memory) {
        return IRedeemProbe.Question({
            wallet: request.permit.customerWallet,
            orderKey: bytes12(request.permit.nonce),
            creditSeed: request.permit.creditSeed,
            attempt: abi.encodeCall(ICredits.redeem, (request))
        });
    }
}
