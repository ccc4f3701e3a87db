// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it lets another account spend its revenue, and leaves that allowance

contract LeavesAllowance is Payment {
    address public constant ROUTER = address(uint160(uint256(keccak256("router"))));

    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price);
        usdc.approve(ROUTER, price);
        paidFor[receiver] += price;
    }
}
