// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IBridgeExecutor} from "./Deployed.sol";
import {Vm} from "./Test.sol";
import {DecentMerchant, NormalMerchant} from "./mocks/HonestMerchants.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {MockUsdc} from "./mocks/MockUsdc.sol";
import {GasMeter} from "./mocks/OddMerchants.sol";
import {SmartWallet} from "./mocks/Wallets.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

contract BridgeAdapterTest is CreditsFixture {
    bytes32 private constant CLAIM_TYPEHASH = 0xa301e7c61d6d7833866ceaaa0eca9c71c0716c0efe873ea955b76e83b1c92c61;
    address private constant TOKEN = address(0xD011A5);

    DecentMerchant private merchant;

    function setUp() public override {
        super.setUp();
        _openRoute();
        merchant = new DecentMerchant(address(usdc));
        _fund(address(adapter), 100 * DOLLAR);
        vm.deal(address(adapter), 100 ether);
        vm.startPrank(admin);
        adapter.setSource(SRC_CHAIN, SRC_ADAPTER, true);
        adapter.setDailyLimit(address(usdc), 100 * DOLLAR);
        adapter.setDailyLimit(address(0), 100 ether);
        vm.stopPrank();
    }

    // Source

    /// @dev The adapter takes USDC worth `cost`. The customer gets the rest of `amount` back as credits.
    function test_bridge_emitsTheRequest() public {
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), 2 * DOLLAR);
        _whitelist(DST_CHAIN, address(0xDE57), bytes4(request.settlement.data), false, true, 90_000);
        bytes32 id = keccak256(
            abi.encode(
                IBridgeAdapter.Delivery({
                    srcChainId: block.chainid,
                    srcAdapter: address(adapter),
                    number: 1,
                    customer: customer,
                    nonce: request.permit.nonce,
                    amount: DOLLAR,
                    token: TOKEN,
                    cost: DOLLAR,
                    target: address(0xDE57),
                    data: request.settlement.data,
                    minimumGas: 90_000
                }),
                DST_CHAIN
            )
        );
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeRequested(
            id,
            customer,
            request.permit.nonce,
            1,
            DOLLAR,
            DST_CHAIN,
            TOKEN,
            false,
            DOLLAR,
            address(0xDE57),
            request.settlement.data,
            90_000
        );
        _redeem(request);
        vm.assertEq(usdc.balanceOf(address(adapter)), 101 * DOLLAR);
        vm.assertEq(_customerCredits(), 999 * DOLLAR);
        vm.assertEq(credits.surplus(), 0);
    }

    /// @dev The price in USDC is rounded up, so that the liquidity never pays for a fraction of a raw unit.
    function testFuzz_bridge_takesWhatTheCostIsWorth(uint256 costPerUsdc, uint256 cost, uint256 amount) public {
        costPerUsdc = bound(costPerUsdc, 1, 1e30);
        amount = bound(amount, 1, 1000 * DOLLAR);
        cost = bound(cost, 0, amount * costPerUsdc / DOLLAR);
        vm.prank(admin);
        adapter.setRoute(DST_CHAIN, TOKEN, costPerUsdc);
        _redeem(_signed(_decent(cost), amount));
        uint256 taken = usdc.balanceOf(address(adapter)) - 100 * DOLLAR;
        vm.assertEq(_customerCredits(), 1000 * DOLLAR - taken);
        vm.assertLe(cost, taken * costPerUsdc / DOLLAR, "enough");
        if (taken != 0) vm.assertTrue((taken - 1) * costPerUsdc / DOLLAR < cost, "one raw unit less is not enough");
        _assertBacked();
    }

    function test_bridge_native() public {
        vm.prank(admin);
        adapter.setRoute(DST_CHAIN, address(0), 0.0005 ether);
        ICredits.Settlement memory settlement = _decent(0.001 ether);
        settlement.bridge.isNative = true;
        settlement.bridge.dstToken = address(0);
        _redeem(_signed(settlement, 2 * DOLLAR));
        settlement.bridge.cost += 1;
        _expectRedeemReverts(
            _signed(settlement, 2 * DOLLAR),
            abi.encodeWithSelector(IBridgeAdapter.CostNotCovered.selector, 0.001 ether + 1, 0.001 ether)
        );
    }

    function test_bridge_revertsWhenCostIsNotCovered() public {
        _expectRedeemReverts(
            _signed(_decent(DOLLAR + 1), DOLLAR),
            abi.encodeWithSelector(IBridgeAdapter.CostNotCovered.selector, DOLLAR + 1, DOLLAR)
        );
    }

    function test_bridge_revertsWhenRouteIsUnknown() public {
        vm.prank(admin);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.RouteSet(DST_CHAIN, TOKEN, 0);
        adapter.setRoute(DST_CHAIN, TOKEN, 0);
        vm.assertEq(adapter.routeOf(DST_CHAIN, TOKEN), 0);
        _expectRedeemReverts(
            _signed(_decent(DOLLAR), DOLLAR),
            abi.encodeWithSelector(IBridgeAdapter.UnknownRoute.selector, DST_CHAIN, TOKEN)
        );
    }

    function test_bridge_revertsWhenNotCredits() public {
        IBridgeAdapter.Request memory request;
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.OnlyCredits.selector, stranger));
        adapter.bridge(request);
    }

    function test_bridge_idsAreUnique() public {
        IBridgeAdapter.Request memory request;
        request.customer = customer;
        (request.dstChainId, request.dstToken) = (DST_CHAIN, TOKEN);
        vm.startPrank(address(credits));
        bytes32 first = adapter.bridge(request);
        vm.assertTrue(adapter.bridge(request) != first);
        vm.stopPrank();
    }

    // Destination

    function _delivery(address token, uint256 cost, bytes memory data)
        private
        view
        returns (IBridgeAdapter.Delivery memory)
    {
        return _delivery(token, cost, address(merchant), data);
    }

    function _buy(uint256 price) private view returns (IBridgeAdapter.Delivery memory) {
        return _delivery(address(usdc), 3 * DOLLAR, abi.encodeCall(DecentMerchant.buy, (receiver, price)));
    }

    function _execute(IBridgeAdapter.Delivery memory delivery) private returns (bool) {
        vm.prank(operator);
        return adapter.execute(delivery);
    }

    function _expectExecuteReverts(IBridgeAdapter.Delivery memory delivery, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        adapter.execute(delivery);
    }

    function test_execute_token() public {
        bytes32 id = adapter.idOf(_buy(3 * DOLLAR));
        assertFalse(adapter.executed(id));
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeExecuted(id, customer, true, 0, "");
        vm.assertTrue(_execute(_buy(3 * DOLLAR)));
        vm.assertTrue(adapter.executed(id));
        vm.assertEq(merchant.paidFor(receiver), 3 * DOLLAR);
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 0);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 97 * DOLLAR);
        _assertExecutorEmpty();
    }

    function test_execute_leavesTheRestToTheCustomer() public {
        vm.assertTrue(_execute(_buy(DOLLAR)));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 2 * DOLLAR);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 97 * DOLLAR);
        _assertExecutorEmpty();
    }

    function test_execute_native() public {
        vm.assertTrue(_execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver)))));
        vm.assertEq(merchant.paidFor(receiver), 1 ether);
        vm.assertEq(adapter.liquidityOf(address(0)), 99 ether);
        _assertExecutorEmpty();
    }

    function test_execute_failureStaysClaimable() public {
        merchant.setClosed(true);
        bytes memory reason = abi.encodeWithSignature("Error(string)", "DecentMerchant: closed");
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeExecuted(adapter.idOf(_buy(3 * DOLLAR)), customer, false, 3 * DOLLAR, reason);
        assertFalse(_execute(_buy(3 * DOLLAR)));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 3 * DOLLAR);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 97 * DOLLAR);

        vm.prank(customer);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.Claimed(customer, address(usdc), receiver, 3 * DOLLAR);
        vm.assertEq(adapter.claim(address(usdc), receiver), 3 * DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver), 3 * DOLLAR);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 97 * DOLLAR, "the claim is settled");
        vm.prank(customer);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.NothingToClaim.selector, customer, address(usdc)));
        adapter.claim(address(usdc), receiver);
    }

    function test_execute_nativeFailureStaysClaimable() public {
        merchant.setClosed(true);
        _execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver))));
        vm.assertEq(adapter.claimableOf(customer, address(0)), 1 ether);
        vm.assertEq(adapter.liquidityOf(address(0)), 99 ether);
        vm.prank(customer);
        adapter.claim(address(0), receiver);
        vm.assertEq(receiver.balance, 1 ether);
    }

    function test_execute_isClaimableWhenNotCallable() public {
        address[4] memory targets = [stranger, address(usdc), address(adapter), adapter.executor()];
        for (uint256 i = 0; i < targets.length; ++i) {
            IBridgeAdapter.Delivery memory delivery = _buy(3 * DOLLAR);
            delivery.number = 10 + i;
            delivery.target = targets[i];
            assertFalse(_execute(delivery));
            vm.assertEq(adapter.claimableOf(customer, address(usdc)), 3 * DOLLAR * (i + 1));
            vm.assertEq(usdc.allowance(address(adapter), adapter.executor()), 0);
        }
        // The target is on USDC's blacklist
        vm.prank(issuer);
        usdc.blacklist(address(merchant));
        assertFalse(_execute(_buy(3 * DOLLAR)));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 15 * DOLLAR);
        // The call sends native coin to an address without code
        IBridgeAdapter.Delivery memory native = _delivery(address(0), 1 ether, "");
        native.number = uint256(bytes32("native"));
        native.target = stranger;
        assertFalse(_execute(native));
        vm.assertEq(adapter.claimableOf(customer, address(0)), 1 ether);
        vm.assertEq(stranger.balance, 0);
    }

    /// @dev The executor makes the call. The executor does not hold the liquidity, so the call cannot take any.
    function test_execute_cannotReachLiquidity() public {
        MockUsdc other = _newUsdc();
        vm.prank(issuer);
        other.mint(address(adapter), 50 * DOLLAR);
        IBridgeAdapter.Delivery memory delivery =
            _delivery(address(usdc), DOLLAR, abi.encodeCall(MockUsdc.transfer, (stranger, 50 * DOLLAR)));
        delivery.target = address(other);
        assertFalse(_execute(delivery));
        vm.assertEq(other.balanceOf(address(adapter)), 50 * DOLLAR);
    }

    function test_execute_survivesBombs() public {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        IBridgeAdapter.Delivery memory delivery =
            _delivery(address(usdc), DOLLAR, abi.encodeCall(HostileMerchant.revertBomb, (200_000)));
        delivery.target = address(hostile);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.BridgeExecuted(adapter.idOf(delivery), customer, false, DOLLAR, new bytes(256));
        assertFalse(_execute(delivery));
    }

    function test_execute_blocksReentrantRescue() public {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        bytes[2] memory calls = [
            abi.encodeCall(IBridgeAdapter.rescueFromExecutor, (address(usdc), 1, stranger)),
            abi.encodeCall(IBridgeAdapter.rescueNft, (IERC721(address(hostile)), 1, stranger))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            IBridgeAdapter.Delivery memory delivery = _delivery(
                address(usdc), DOLLAR, abi.encodeCall(HostileMerchant.tryCall, (0, address(adapter), calls[i]))
            );
            delivery.target = address(hostile);
            delivery.number = i;
            vm.assertTrue(_execute(delivery));
            assertFalse(hostile.lastSucceeded());
            vm.assertEq(hostile.lastAnswer(), abi.encodeWithSignature("ReentrancyGuardReentrantCall()"));
        }
    }

    function test_execute_revertsWhenRepeated() public {
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        _execute(delivery);
        _expectExecuteReverts(
            delivery, abi.encodeWithSelector(IBridgeAdapter.AlreadyExecuted.selector, adapter.idOf(delivery))
        );
    }

    // What a relayer may do

    /// @dev The ID is the hash of the whole delivery: changing any field changes the ID.
    function test_idOf_coversEveryField() public {
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        bytes32 id = adapter.idOf(delivery);
        ++delivery.srcChainId;
        vm.assertTrue(adapter.idOf(delivery) != id);
        --delivery.srcChainId;
        delivery.srcAdapter = stranger;
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.srcAdapter = SRC_ADAPTER;
        ++delivery.number;
        vm.assertTrue(adapter.idOf(delivery) != id);
        --delivery.number;
        delivery.customer = stranger;
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.customer = customer;
        delivery.nonce = 0;
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.nonce = bytes32(uint256(77));
        ++delivery.amount;
        vm.assertTrue(adapter.idOf(delivery) != id);
        --delivery.amount;
        delivery.token = address(0);
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.token = address(usdc);
        ++delivery.cost;
        vm.assertTrue(adapter.idOf(delivery) != id);
        --delivery.cost;
        delivery.target = stranger;
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.target = address(merchant);
        delivery.data = "";
        vm.assertTrue(adapter.idOf(delivery) != id);
        delivery.data = abi.encodeCall(DecentMerchant.buy, (receiver, DOLLAR));
        ++delivery.minimumGas;
        vm.assertTrue(adapter.idOf(delivery) != id);
        --delivery.minimumGas;
        vm.assertEq(adapter.idOf(delivery), id);
        vm.chainId(1);
        vm.assertTrue(adapter.idOf(delivery) != id);
    }

    /// @dev The source chain emits the same ID that the destination chain computes.
    function test_idOf_equalsTheIdOfTheSource() public {
        vm.recordLogs();
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), DOLLAR);
        _redeem(request);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        IBridgeAdapter.Delivery memory delivery =
            _delivery(TOKEN, DOLLAR, abi.encodeCall(NormalMerchant.buy, (receiver, DOLLAR)));
        delivery.srcChainId = block.chainid;
        delivery.srcAdapter = address(adapter);
        delivery.nonce = request.permit.nonce;
        delivery.target = address(0xDE57);
        vm.chainId(DST_CHAIN);
        bytes32 id = adapter.idOf(delivery);
        uint256 found;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] != IBridgeAdapter.BridgeRequested.selector) continue;
            vm.assertEq(logs[i].topics[1], id);
            ++found;
        }
        vm.assertEq(found, 1);
    }

    function test_execute_revertsWhenSourceIsUnknown() public {
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.srcAdapter = stranger;
        _expectExecuteReverts(
            delivery, abi.encodeWithSelector(IBridgeAdapter.UnknownSource.selector, SRC_CHAIN, stranger)
        );
        delivery = _buy(DOLLAR);
        ++delivery.srcChainId;
        _expectExecuteReverts(
            delivery, abi.encodeWithSelector(IBridgeAdapter.UnknownSource.selector, SRC_CHAIN + 1, SRC_ADAPTER)
        );
        vm.assertTrue(adapter.isSource(SRC_CHAIN, SRC_ADAPTER));
        vm.prank(admin);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.SourceSet(SRC_CHAIN, SRC_ADAPTER, false);
        adapter.setSource(SRC_CHAIN, SRC_ADAPTER, false);
        assertFalse(adapter.isSource(SRC_CHAIN, SRC_ADAPTER));
        _expectExecuteReverts(
            _buy(DOLLAR), abi.encodeWithSelector(IBridgeAdapter.UnknownSource.selector, SRC_CHAIN, SRC_ADAPTER)
        );
    }

    function test_execute_revertsWhenDailyLimitIsReached() public {
        vm.prank(admin);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.DailyLimitSet(address(usdc), 5 * DOLLAR);
        adapter.setDailyLimit(address(usdc), 5 * DOLLAR);
        vm.assertEq(adapter.dailyLimitOf(address(usdc)), 5 * DOLLAR);
        // The last second of a day
        vm.warp((block.timestamp / 1 days + 1) * 1 days - 1);
        _execute(_buy(DOLLAR));
        vm.assertEq(adapter.remainingToday(address(usdc)), 2 * DOLLAR, "the amount paid counts, not the amount spent");
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.number = 2;
        _expectExecuteReverts(
            delivery,
            abi.encodeWithSelector(IBridgeAdapter.DailyLimitExceeded.selector, address(usdc), 2 * DOLLAR, 3 * DOLLAR)
        );
        // Each token has its own limit.
        IBridgeAdapter.Delivery memory native =
            _delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver)));
        _execute(native);
        vm.assertEq(adapter.remainingToday(address(0)), 99 ether);
        delivery.cost = 2 * DOLLAR;
        _execute(delivery);
        vm.assertEq(adapter.remainingToday(address(usdc)), 0);
        // If the limit is below the amount paid today, nothing remains.
        vm.prank(admin);
        adapter.setDailyLimit(address(usdc), DOLLAR);
        vm.assertEq(adapter.remainingToday(address(usdc)), 0);
        vm.warp(block.timestamp + 1);
        vm.assertEq(adapter.remainingToday(address(usdc)), DOLLAR, "a new day");
    }

    function test_execute_revertsWhenThereIsNoLimit() public {
        MockUsdc other = _newUsdc();
        vm.prank(issuer);
        other.mint(address(adapter), DOLLAR);
        _expectExecuteReverts(
            _delivery(address(other), 1, ""),
            abi.encodeWithSelector(IBridgeAdapter.DailyLimitExceeded.selector, address(other), 0, 1)
        );
    }

    /// @dev A pause stops requests and executions, and claims for its first three days.
    function test_pause() public {
        merchant.setClosed(true);
        _execute(_buy(3 * DOLLAR));
        ICredits.RedeemRequest memory request = _signed(_decent(DOLLAR), DOLLAR);
        bytes memory signature = _claimSignature(address(usdc), receiver, NOW + 60);
        vm.prank(admin);
        vm.expectEmit(address(adapter));
        emit IEmergencyPause.Paused(admin, NOW + 7 days);
        adapter.pause();
        vm.assertTrue(adapter.paused());
        assertFalse(adapter.hasRole(adapter.PAUSER_ROLE(), admin), "used up");
        bytes memory paused = abi.encodeWithSignature("EnforcedPause()");
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.number = 2;
        _expectExecuteReverts(delivery, paused);
        _expectRedeemReverts(request, paused);
        bytes memory closed = abi.encodeWithSelector(IEmergencyPause.ExitNotOpen.selector, NOW + 3 days);
        vm.prank(customer);
        vm.expectRevert(closed);
        adapter.claim(address(usdc), receiver);
        vm.expectRevert(closed);
        adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature);
        vm.prank(admin);
        vm.expectEmit(address(adapter));
        emit IEmergencyPause.Unpaused(admin);
        adapter.unpause();
        _redeem(request);
        adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature);
    }

    function test_pause_opensClaimsAfterThreeDays() public {
        merchant.setClosed(true);
        _execute(_buy(3 * DOLLAR));
        vm.prank(admin);
        adapter.pause();
        vm.warp(NOW + 1 days);
        // Changing the end of the pause does not restart the 3 days.
        vm.prank(admin);
        adapter.pauseUntil(uint40(NOW + 30 days));
        vm.warp(NOW + 3 days - 1);
        vm.prank(customer);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.ExitNotOpen.selector, NOW + 3 days));
        adapter.claim(address(usdc), receiver);
        vm.warp(NOW + 3 days);
        vm.prank(customer);
        vm.assertEq(adapter.claim(address(usdc), receiver), 3 * DOLLAR);
        vm.assertTrue(adapter.paused());
    }

    function test_pause_endsByItself() public {
        vm.prank(admin);
        adapter.pause();
        vm.warp(NOW + 7 days - 1);
        IBridgeAdapter.Delivery memory delivery = _buy(3 * DOLLAR);
        _expectExecuteReverts(delivery, abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector));
        vm.warp(NOW + 7 days);
        vm.assertTrue(_execute(delivery));
    }

    // Claims by signature

    function _claimSignature(address token, address to, uint256 validBefore) private view returns (bytes memory) {
        return _signature(CUSTOMER_KEY, adapter.hashClaim(customer, token, to, validBefore));
    }

    function _stuck() private {
        merchant.setClosed(true);
        _execute(_buy(3 * DOLLAR));
    }

    function test_claimFor() public {
        _stuck();
        bytes memory signature = _claimSignature(address(usdc), receiver, NOW + 60);
        vm.warp(NOW + 59);
        vm.prank(stranger);
        vm.expectEmit(address(adapter));
        emit IBridgeAdapter.Claimed(customer, address(usdc), receiver, 3 * DOLLAR);
        vm.assertEq(adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature), 3 * DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver), 3 * DOLLAR);
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 0);
        vm.assertEq(adapter.claimNonce(customer, address(usdc)), 1);
        vm.assertEq(adapter.claimNonce(customer, address(0)), 0);
    }

    /// @dev A relayer can send claims for several tokens in any order, or only some of the claims.
    function test_claimFor_inAnyOrderOfTokens() public {
        _stuck();
        _execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver))));
        bytes memory dollars = _claimSignature(address(usdc), receiver, NOW + 60);
        bytes memory coin = _claimSignature(address(0), receiver, NOW + 60);
        uint256 before = receiver.balance;
        adapter.claimFor(customer, address(0), receiver, NOW + 60, coin);
        adapter.claimFor(customer, address(usdc), receiver, NOW + 60, dollars);
        vm.assertEq(receiver.balance, before + 1 ether);
        vm.assertEq(usdc.balanceOf(receiver), 3 * DOLLAR);
    }

    function test_claimFor_digest() public view {
        vm.assertEq(
            adapter.CLAIM_TYPEHASH(),
            keccak256("Claim(address customer,address token,address to,uint256 nonce,uint256 validBefore)")
        );
        vm.assertEq(adapter.CLAIM_TYPEHASH(), CLAIM_TYPEHASH);
        bytes32 domain = _domainSeparator("BridgeAdapter", address(adapter));
        bytes32 structHash =
            keccak256(abi.encode(CLAIM_TYPEHASH, customer, address(usdc), receiver, uint256(0), NOW + 60));
        vm.assertEq(
            adapter.hashClaim(customer, address(usdc), receiver, NOW + 60),
            keccak256(abi.encodePacked("\x19\x01", domain, structHash))
        );
    }

    function test_claimFor_smartWallet() public {
        merchant.setClosed(true);
        address wallet = address(new SmartWallet(customer));
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.customer = wallet;
        _execute(delivery);
        bytes memory signature = _signature(CUSTOMER_KEY, adapter.hashClaim(wallet, address(usdc), receiver, NOW + 60));
        adapter.claimFor(wallet, address(usdc), receiver, NOW + 60, signature);
        vm.assertEq(usdc.balanceOf(receiver), 3 * DOLLAR);
    }

    function test_claimFor_revertsWhenExpired() public {
        _stuck();
        bytes memory signature = _claimSignature(address(usdc), receiver, NOW + 60);
        for (uint256 late = 0; late < 2; ++late) {
            vm.warp(NOW + 60 + late);
            vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.ClaimExpired.selector, NOW + 60, NOW + 60 + late));
            adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature);
        }
    }

    function test_claimFor_revertsWhenAFieldDiffers() public {
        _stuck();
        merchant.setClosed(true);
        _execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver))));
        bytes memory signature = _claimSignature(address(usdc), receiver, NOW + 60);
        _expectClaimRefused(address(usdc), stranger, NOW + 60, signature);
        _expectClaimRefused(address(0), receiver, NOW + 60, signature);
        _expectClaimRefused(address(usdc), receiver, NOW + 61, signature);
        _expectClaimRefused(address(usdc), receiver, NOW + 60, "");
        adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature);
        // A signature is valid once, even if the customer can claim again later.
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.number = 2;
        _execute(delivery);
        _expectClaimRefused(address(usdc), receiver, NOW + 60, signature);
    }

    function _expectClaimRefused(address token, address to, uint256 validBefore, bytes memory signature) private {
        bytes32 digest = adapter.hashClaim(customer, token, to, validBefore);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.InvalidClaimSignature.selector, customer, digest));
        adapter.claimFor(customer, token, to, validBefore, signature);
    }

    function test_claimFor_revertsWhenNothingIsClaimable() public {
        bytes memory signature = _claimSignature(address(usdc), receiver, NOW + 60);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.NothingToClaim.selector, customer, address(usdc)));
        adapter.claimFor(customer, address(usdc), receiver, NOW + 60, signature);
    }

    /// @dev The executor never calls the token, the adapter or itself, even if that call would succeed.
    function test_execute_neverCallsItsOwnParts() public {
        IBridgeAdapter.Delivery memory delivery =
            _delivery(address(usdc), 3 * DOLLAR, abi.encodeCall(MockUsdc.transfer, (stranger, DOLLAR)));
        delivery.target = address(usdc);
        assertFalse(_execute(delivery));
        delivery.target = address(adapter);
        delivery.data = abi.encodeCall(IBridgeAdapter.executed, (bytes32(0)));
        assertFalse(_execute(delivery));
        delivery.target = adapter.executor();
        delivery.data = abi.encodeWithSignature("adapter()");
        assertFalse(_execute(delivery));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 9 * DOLLAR);
        vm.assertEq(usdc.balanceOf(stranger), 0);
    }

    /// @dev With the smallest gas limit that the adapter accepts, the call still gets the minimum gas that the source chain set.
    function test_execute_givesAllOfTheMinimum() public {
        GasMeter meter = new GasMeter();
        IBridgeAdapter.Delivery memory delivery = _delivery(address(usdc), 0, hex"01020304");
        delivery.target = address(meter);
        delivery.minimumGas = 400_000;
        for (uint256 gasLimit = 400_000; gasLimit < 900_000; gasLimit += 100) {
            vm.prank(operator);
            (bool success,) = address(adapter).call{gas: gasLimit}(abi.encodeCall(IBridgeAdapter.execute, (delivery)));
            if (!success) continue;
            vm.assertGe(meter.given(), 400_000, "the call gets the full minimum gas");
            return;
        }
        revert("never enough");
    }

    function test_execute_revertsWhenNotRelayer() public {
        bytes32 role = adapter.RELAYER_ROLE();
        vm.prank(stranger);
        vm.expectRevert(_unauthorized(stranger, role));
        adapter.execute(_buy(DOLLAR));
    }

    function test_execute_revertsWhenCustomerIsZero() public {
        IBridgeAdapter.Delivery memory delivery = _buy(DOLLAR);
        delivery.customer = address(0);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.ZeroAddress.selector, "customer"));
        adapter.execute(delivery);
    }

    /// @dev Claimable funds are not liquidity.
    function test_execute_revertsWhenLiquidityIsShort() public {
        merchant.setClosed(true);
        _execute(_buy(3 * DOLLAR));
        IBridgeAdapter.Delivery memory delivery = _buy(3 * DOLLAR);
        delivery.number = uint256(bytes32("second"));
        delivery.cost = 97 * DOLLAR + 1;
        vm.prank(admin);
        adapter.setDailyLimit(address(usdc), type(uint256).max);
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBridgeAdapter.InsufficientLiquidity.selector, address(usdc), 97 * DOLLAR, 97 * DOLLAR + 1
            )
        );
        adapter.execute(delivery);
        vm.startPrank(admin);
        vm.expectRevert(
            abi.encodeWithSelector(
                IBridgeAdapter.InsufficientLiquidity.selector, address(usdc), 97 * DOLLAR, 97 * DOLLAR + 1
            )
        );
        adapter.withdraw(address(usdc), admin, 97 * DOLLAR + 1);
        adapter.withdraw(address(usdc), admin, 97 * DOLLAR);
        vm.assertEq(usdc.balanceOf(admin), 97 * DOLLAR);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 0);
    }

    function test_execute_revertsWhenGasIsShort() public {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        IBridgeAdapter.Delivery memory delivery =
            _delivery(address(usdc), DOLLAR, abi.encodeCall(HostileMerchant.swallowOutOfGas, (390_000)));
        delivery.target = address(hostile);
        delivery.minimumGas = 400_000;
        for (uint256 gasLimit = 450_000; gasLimit <= 900_000; gasLimit += 5000) {
            vm.prank(operator);
            (bool success,) = address(adapter).call{gas: gasLimit}(abi.encodeCall(IBridgeAdapter.execute, (delivery)));
            vm.assertTrue(success == hostile.lastSucceeded(), "refused, or executed with enough gas");
            if (success) return;
        }
        revert("never enough");
    }

    function test_admin_revertsWhenNotAllowed() public {
        bytes4 unauthorized = bytes4(_unauthorized(stranger, 0));
        vm.startPrank(stranger);
        vm.expectPartialRevert(unauthorized);
        adapter.setRoute(1, TOKEN, 1);
        vm.expectPartialRevert(unauthorized);
        adapter.withdraw(address(usdc), stranger, 1);
        vm.expectPartialRevert(unauthorized);
        adapter.setSource(1, stranger, true);
        vm.expectPartialRevert(unauthorized);
        adapter.setDailyLimit(TOKEN, 1);
        vm.expectPartialRevert(unauthorized);
        adapter.pause();
        vm.expectPartialRevert(unauthorized);
        adapter.unpause();
        IBridgeExecutor executor = IBridgeExecutor(adapter.executor());
        vm.expectRevert(abi.encodeWithSelector(IBridgeExecutor.OnlyAdapter.selector, stranger));
        executor.run(address(0), 0, address(merchant), "");
    }

    function test_setSource_revertsWhenZero() public {
        vm.prank(admin);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.ZeroAddress.selector, "srcAdapter"));
        adapter.setSource(1, address(0), true);
    }

    function test_constructor_revertsWhenUsdcIsZero() public {
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.ZeroAddress.selector, "usdc"));
        this.deploy(address(0));
    }

    function deploy(address token) external {
        _newAdapter(address(credits), token);
    }

    function test_claim_revertsWhenReceiverRefuses() public {
        merchant.setClosed(true);
        _execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver))));
        vm.startPrank(customer);
        vm.expectRevert(abi.encodeWithSelector(IBridgeAdapter.ZeroAddress.selector, "to"));
        adapter.claim(address(0), address(0));
        vm.expectRevert(
            abi.encodeWithSelector(IBridgeAdapter.NativeTransferFailed.selector, address(merchant), 1 ether)
        );
        adapter.claim(address(0), address(merchant));
    }

    /// @dev During a call, the executor or the adapter receives more from a stranger than the call spends.
    function test_execute_giftsChangeNothing() public {
        address executor = adapter.executor();
        merchant.setClosed(true);
        vm.deal(executor, 1);
        assertFalse(_execute(_delivery(address(0), 1 ether, abi.encodeCall(DecentMerchant.buyNative, (receiver)))));
        vm.assertEq(adapter.claimableOf(customer, address(0)), 1 ether);
        vm.assertEq(adapter.liquidityOf(address(0)), 99 ether, "a gift stays in the executor");

        _fund(executor, 1);
        IBridgeAdapter.Delivery memory delivery = _buy(3 * DOLLAR);
        delivery.number = uint256(bytes32("token"));
        assertFalse(_execute(delivery));
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), 3 * DOLLAR);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 97 * DOLLAR);
        vm.assertEq(usdc.balanceOf(executor), 1);

        GenerousMerchant generous = new GenerousMerchant();
        vm.deal(address(generous), 1 ether);
        delivery = _delivery(address(0), 1 ether, abi.encodeCall(GenerousMerchant.giveTo, (address(adapter))));
        delivery.number = uint256(bytes32("generous"));
        delivery.target = address(generous);
        vm.assertTrue(_execute(delivery));
        vm.assertEq(adapter.claimableOf(customer, address(0)), 2 ether);
        vm.assertEq(adapter.liquidityOf(address(0)), 99 ether, "the adapter paid the cost and received the gift");
    }

    function testFuzz_execute_keepsTheBooks(uint256 cost, uint256 price, bool closed) public {
        cost = bound(cost, 0, 100 * DOLLAR);
        price = bound(price, 0, 100 * DOLLAR);
        merchant.setClosed(closed);
        bytes memory data = abi.encodeCall(DecentMerchant.buy, (receiver, price));
        bool success = _execute(_delivery(address(usdc), cost, data));
        vm.assertTrue(success == (!closed && price <= cost));
        uint256 spent = success ? price : 0;
        vm.assertEq(usdc.balanceOf(address(merchant)), spent);
        vm.assertEq(adapter.claimableOf(customer, address(usdc)), cost - spent);
        vm.assertEq(adapter.liquidityOf(address(usdc)), 100 * DOLLAR - cost);
        _assertExecutorEmpty();
    }

    function _assertExecutorEmpty() private view {
        vm.assertEq(usdc.balanceOf(adapter.executor()), 0);
        vm.assertEq(adapter.executor().balance, 0);
        vm.assertEq(usdc.allowance(adapter.executor(), address(merchant)), 0);
        vm.assertEq(usdc.allowance(address(adapter), adapter.executor()), 0);
    }
}

/// @dev Sends its whole balance, including the ether of the call, to an account.
contract GenerousMerchant {
    function giveTo(address receiver) external payable {
        (bool success,) = receiver.call{value: address(this).balance}("");
        require(success);
    }
}
