// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {ITokenRescue} from "../src/ITokenRescue.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IBridgeExecutor, ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {DecentMerchant} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @dev Returns an ID that depends on the gas of the call.
contract FickleMerchant is HostileMerchant {
    constructor(address usdc_) HostileMerchant(usdc_) {}

    /// @notice Mints without a hook. A call with less gas than the first one returns the ID of the older token.
    function mintByGas(uint256 threshold, uint256 older) external returns (uint256) {
        _mint(msg.sender, ++minted);
        return gasleft() > threshold ? minted : older;
    }
}

/// @dev Tokens that arrive by mistake must not block redeems, and the admin can move them.
contract NothingStuckTest is CreditsFixture {
    IPaymentSettlementContract private payments;
    MockUsdc private other;
    HostileMerchant private nft;

    function setUp() public override {
        super.setUp();
        payments = _newPayments();
        other = _newUsdc();
        nft = new HostileMerchant(address(usdc));
        vm.prank(issuer);
        other.mint(stranger, 100);
        vm.startPrank(admin);
        adapter.setSource(SRC_CHAIN, SRC_ADAPTER, true);
        adapter.setDailyLimit(address(usdc), 50 * DOLLAR);
        adapter.setDailyLimit(address(0), 50 ether);
        vm.stopPrank();
    }

    // Redeems of kind `Returned` while the contract already holds tokens

    /// @dev Anyone can send a merchant's token to the contract without a hook. The merchant must still be able to sell.
    function test_returned_goesOnBesideAForeignToken() public {
        _sell();
        vm.prank(customer);
        returnedMerchant.transferFrom(customer, address(credits), 1);
        _sell();
        vm.assertEq(returnedMerchant.ownerOf(2), customer);
        vm.assertEq(returnedMerchant.ownerOf(1), address(credits));
        vm.prank(customer);
        returnedMerchant.transferFrom(customer, address(credits), 2);
        _sell();
        vm.assertEq(returnedMerchant.ownerOf(3), customer);
        vm.assertEq(returnedMerchant.minted(), 3, "each was minted once");
        vm.assertEq(usdc.balanceOf(address(returnedMerchant)), 3 * DOLLAR, "each was paid once");
        vm.assertEq(usdc.allowance(address(credits), address(returnedMerchant)), 0);
        _assertBacked();
    }

    /// @dev If a merchant returns the new token in the trial call and an older one in the final call, it sells nothing.
    function test_returned_neverDeliversAnOlderToken() public {
        FickleMerchant fickle = new FickleMerchant(address(usdc));
        _allow(address(fickle));
        fickle.mintTo(address(credits), 500);
        ICredits.Settlement memory settlement = _call(ICredits.Kind.Returned, address(fickle), "");
        settlement.nftContract = address(fickle);
        uint256 refused = 0;
        uint256 sold = 0;
        // The second call has less gas than the first. Some of these thresholds lie between the two amounts.
        for (uint256 threshold = 2_960_000; threshold > 2_400_000; threshold -= 10_000) {
            uint256 before = vm.snapshotState();
            settlement.data = abi.encodeCall(FickleMerchant.mintByGas, (threshold, 500));
            ICredits.RedeemRequest memory request = _signed(settlement, DOLLAR);
            vm.prank(operator);
            (bool success, bytes memory reason) =
                address(credits).call{gas: 3_000_000}(abi.encodeCall(ICredits.redeem, (request)));
            vm.assertEq(fickle.ownerOf(500), address(credits));
            if (success) {
                ++sold;
                vm.assertEq(fickle.ownerOf(1), customer);
            } else {
                ++refused;
                vm.assertEq(
                    reason, abi.encodeWithSelector(ICredits.TokenNotReceived.selector, address(fickle), uint256(500))
                );
            }
            vm.revertToState(before);
        }
        vm.assertTrue(refused > 0);
        vm.assertTrue(sold > 0);
    }

    function test_callReturned_revertsWhenCalledByOthers() public {
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.OnlySelf.selector, stranger));
        credits.callReturned(address(nft), "", 0);
    }

    // Contracts of the deployment

    function test_token_revertsWhenDestinationIsOurOwn() public {
        vm.prank(admin);
        vm.expectEmit(address(credits));
        emit ICredits.OwnContractSet(address(payments), true);
        credits.setOwnContract(address(payments), true);
        address[6] memory ours = [
            address(credits),
            credits.extension(),
            address(usdc),
            address(adapter),
            adapter.executor(),
            address(payments)
        ];
        for (uint256 i = 0; i < ours.length; ++i) {
            _expectRedeemReverts(
                _signed(_token(ours[i]), DOLLAR), abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, ours[i])
            );
        }
        vm.prank(admin);
        credits.setOwnContract(address(payments), false);
        assertFalse(credits.isOwnContract(address(payments)));
        _redeem(_signed(_token(address(payments)), DOLLAR));
    }

    /// @dev USDC sent to a previous adapter would have no owner.
    function test_setBridgeAdapter_keepsFormerOnes() public {
        vm.startPrank(admin);
        credits.setBridgeAdapter(address(0));
        vm.assertTrue(credits.isOwnContract(address(adapter)));
        credits.setOwnContract(address(adapter), false);
        credits.setBridgeAdapter(address(adapter));
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(adapter)));
        credits.setOwnContract(address(adapter), false);
        vm.stopPrank();
        _expectRedeemReverts(
            _signed(_token(address(adapter)), DOLLAR),
            abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(adapter))
        );
    }

    function test_setOwnContract_revertsWhenNotAdmin() public {
        vm.prank(operator);
        vm.expectRevert(_unauthorized(operator, 0));
        credits.setOwnContract(stranger, true);
    }

    /// @dev `isOwnContract` is true only for contracts of the deployment. The flag is stored next to the totals and does not change them.
    function testFuzz_isOwnContract(address own, address account) public {
        if (own == address(adapter)) return;
        vm.prank(admin);
        credits.setOwnContract(own, true);
        vm.assertTrue(credits.isOwnContract(own));
        bool expected = account == own || account == address(adapter) || account == adapter.executor()
            || account == credits.extension();
        vm.assertTrue(credits.isOwnContract(account) == expected);
        vm.assertEq(credits.totalCredits(), 1000 * DOLLAR);
        vm.assertEq(credits.pausedUntil(), 0);
        assertFalse(credits.paused());
    }

    // Credits

    function test_credits_rescueErc20() public {
        _mistake(address(credits));
        vm.prank(operator);
        vm.expectRevert(_unauthorized(operator, 0));
        credits.rescueErc20(IERC20(address(other)), 100, receiver);
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(usdc)));
        credits.rescueErc20(IERC20(address(usdc)), 1, receiver);
        vm.expectEmit(address(credits));
        emit ITokenRescue.Rescued(address(other), 100, receiver);
        credits.rescueErc20(IERC20(address(other)), 100, receiver);
        vm.assertEq(other.balanceOf(receiver), 100);
    }

    // Settlement contract and escrow

    function test_payments_rescue() public {
        _mistake(address(payments));
        _fund(address(payments), DOLLAR);
        nft.mintTo(address(payments), 7);
        vm.startPrank(operator);
        bytes memory refusal = _unauthorized(operator, 0);
        vm.expectRevert(refusal);
        payments.rescueErc20(address(other), 100, operator);
        vm.expectRevert(refusal);
        payments.rescueNft(address(nft), 7, operator);
        vm.stopPrank();
        vm.startPrank(admin);
        vm.expectEmit(address(payments));
        emit ITokenRescue.Rescued(address(other), 100, receiver);
        payments.rescueErc20(address(other), 100, receiver);
        payments.rescueErc20(address(usdc), DOLLAR, receiver);
        vm.expectEmit(address(payments));
        emit ITokenRescue.Rescued(address(nft), 7, receiver);
        payments.rescueNft(address(nft), 7, receiver);
        vm.assertEq(other.balanceOf(receiver), 100);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(nft.ownerOf(7), receiver);
    }

    /// @dev Anyone can call these functions, because they pay only the escrow's customer.
    function test_escrow_sweep() public {
        address escrow = payments.escrowOf(customer);
        // Tokens arrive before the escrow is deployed.
        _mistake(escrow);
        _fund(escrow, DOLLAR);
        nft.mintTo(escrow, 7);
        payments.deployEscrow(customer);
        vm.startPrank(stranger);
        ICustomerEscrow(escrow).sweep(address(other));
        ICustomerEscrow(escrow).sweep(address(usdc));
        ICustomerEscrow(escrow).forward(address(nft), 7);
        vm.assertEq(other.balanceOf(customer), 100);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        vm.assertEq(nft.ownerOf(7), customer);
    }

    /// @dev In a different contract, `claim(address,address)` could mean `claim(to, token)`.
    function test_escrow_claim_revertsForOtherContracts() public {
        address escrow = payments.deployEscrow(customer);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ICredits.ForbiddenTarget.selector, address(other)));
        ICustomerEscrow(escrow).claim(IBridgeAdapter(address(other)), stranger);
    }

    // Adapter and executor

    function test_executor_rescue() public {
        address executor = adapter.executor();
        _mistake(executor);
        vm.deal(executor, 2 ether);
        nft.mintTo(executor, 7);
        nft.mintTo(address(adapter), 8);
        vm.startPrank(admin);
        vm.expectEmit(address(adapter));
        emit ITokenRescue.Rescued(address(other), 100, receiver);
        adapter.rescueFromExecutor(address(other), 100, receiver);
        adapter.rescueFromExecutor(address(0), 2 ether, receiver);
        vm.expectEmit(address(adapter));
        emit ITokenRescue.Rescued(address(nft), 7, receiver);
        adapter.rescueNft(IERC721(address(nft)), 7, receiver);
        adapter.rescueNft(IERC721(address(nft)), 8, receiver);
        vm.stopPrank();
        vm.assertEq(other.balanceOf(receiver), 100);
        vm.assertEq(receiver.balance, 2 ether);
        vm.assertEq(nft.ownerOf(7), receiver);
        vm.assertEq(nft.ownerOf(8), receiver);
    }

    function test_executor_rescue_revertsWhenNotAllowed() public {
        nft.mintTo(stranger, 9);
        vm.startPrank(operator);
        bytes memory refusal = _unauthorized(operator, 0);
        vm.expectRevert(refusal);
        adapter.rescueFromExecutor(address(other), 0, operator);
        vm.expectRevert(refusal);
        adapter.rescueNft(IERC721(address(nft)), 9, operator);
        IBridgeExecutor executor = IBridgeExecutor(adapter.executor());
        vm.expectRevert(abi.encodeWithSelector(IBridgeExecutor.OnlyAdapter.selector, operator));
        executor.rescue(address(other), 0, operator);
        vm.expectRevert(abi.encodeWithSelector(IBridgeExecutor.OnlyAdapter.selector, operator));
        executor.rescueNft(IERC721(address(nft)), 9, operator);
        vm.stopPrank();
        vm.startPrank(admin);
        vm.expectRevert(abi.encodeWithSelector(ITokenRescue.NotHeld.selector, address(nft), 9));
        adapter.rescueNft(IERC721(address(nft)), 9, receiver);
        vm.stopPrank();
        // The liquidity cannot be rescued as if it were an NFT.
        _fund(address(adapter), DOLLAR);
        vm.startPrank(admin);
        vm.expectRevert();
        adapter.rescueNft(IERC721(address(usdc)), DOLLAR, receiver);
    }

    /// @dev Tokens that the executor already holds do not count as change of a delivery.
    function test_executor_keepsMistakesApart() public {
        address executor = adapter.executor();
        DecentMerchant shop = new DecentMerchant(address(usdc));
        _fund(executor, 5 * DOLLAR);
        vm.deal(executor, 3 ether);
        _fund(address(adapter), 10 * DOLLAR);
        vm.deal(address(adapter), 1 ether);
        bytes memory buy = abi.encodeCall(DecentMerchant.buy, (receiver, 4 * DOLLAR));
        _execute(_delivery(address(usdc), 10 * DOLLAR, address(shop), buy));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 6 * DOLLAR);
        vm.assertEq(usdc.balanceOf(executor), 5 * DOLLAR);
        buy = abi.encodeCall(DecentMerchant.buyNative, (receiver));
        _execute(_delivery(address(0), 1 ether, address(shop), buy));
        vm.assertEq(executor.balance, 3 ether);
        vm.assertEq(adapter.claimableOf(customer, address(0)), 0);
    }

    function _execute(IBridgeAdapter.Delivery memory delivery) private {
        vm.prank(operator);
        vm.assertTrue(adapter.execute(delivery));
    }

    function _sell() private {
        _redeem(_signed(_returned(DOLLAR), DOLLAR));
    }

    function _mistake(address to) private {
        vm.prank(stranger);
        other.transfer(to, 100);
    }
}
