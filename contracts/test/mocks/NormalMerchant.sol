// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Sells something to the receiver in its calldata: shape `normal`.
contract NormalMerchant is Payment {
    uint256 public orders;
    mapping(address receiver => uint256) public paidFor;

    event Bought(uint256 indexed order, address indexed buyer, address indexed receiver, uint256 price);

    constructor(address usdc_) Payment(usdc_) {}

    /// @param price pulled from the caller, in raw units
    function buy(address receiver, uint256 price) external returns (uint256 order) {
        require(receiver != address(0), "NormalMerchant: no receiver");
        _pull(price);
        order = ++orders;
        paidFor[receiver] += price;
        emit Bought(order, msg.sender, receiver, price);
    }
}
